package dev.evenkeel.observe.transport;

/** How a patch says what it changes. */
public enum PatchType {
  JSON("application/json-patch+json"),
  MERGE("application/merge-patch+json"),
  /** Built-in kinds only. */
  STRATEGIC("application/strategic-merge-patch+json"),
  /** Needs the query {@code fieldManager}. */
  APPLY("application/apply-patch+yaml");

  private final String contentType;

  PatchType(String contentType) {
    this.contentType = contentType;
  }

  public String contentType() {
    return contentType;
  }
}

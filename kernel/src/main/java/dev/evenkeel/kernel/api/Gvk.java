package dev.evenkeel.kernel.api;

/**
 * Group, version and kind.
 *
 * @param group empty for the core group
 */
public record Gvk(String group, String version, String kind) {

  public static Gvk of(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    return slash < 0
        ? new Gvk("", apiVersion, kind)
        : new Gvk(apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind);
  }

  /** As the field {@code apiVersion} has it: {@code v1}, {@code apps/v1}. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}

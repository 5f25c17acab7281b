package dev.evenkeel.kernel.apply;

/**
 * Who owns fields. Whoever writes in two ways, or updates in two versions, is two of them.
 *
 * @param name empty only in entries that clients wrote
 * @param applies whether it applies configurations; else it updates
 * @param apiVersion the version it updates in; empty for one that applies, which is the same
 *     manager in all versions
 * @param subresource through which it writes; empty for the object itself
 */
public record Manager(String name, boolean applies, String apiVersion, String subresource)
    implements Comparable<Manager> {

  public static Manager applier(String name, String subresource) {
    return new Manager(name, true, "", subresource);
  }

  public static Manager updater(String name, String apiVersion, String subresource) {
    return new Manager(name, false, apiVersion, subresource);
  }

  String operation() {
    return applies ? "Apply" : "Update";
  }

  /** What managers are sorted by. */
  private String text() {
    var text = new StringBuilder();
    put(text, "manager", name);
    put(text, "operation", operation());
    put(text, "apiVersion", apiVersion);
    put(text, "subresource", subresource);
    return text.toString();
  }

  private static void put(StringBuilder text, String field, String value) {
    if (!value.isEmpty()) {
      text.append(text.isEmpty() ? '{' : ',').append('"').append(field).append("\":");
      Values.appendQuoted(text, value, true);
    }
  }

  @Override
  public int compareTo(Manager other) {
    return Values.compareTexts(text(), other.text());
  }

  /**
   * For people: {@code "kubectl" with subresource "status" using v1}.
   *
   * @param inVersion the version it speaks
   */
  String printed(String inVersion) {
    return Values.quoted(name)
        + (subresource.isEmpty() ? "" : " with subresource " + Values.quoted(subresource))
        + (applies ? "" : " using " + inVersion);
  }
}

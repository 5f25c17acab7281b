package dev.evenkeel.serve.admission;

/**
 * A kind by the words in its path, in any version.
 *
 * @param group empty for the core group
 */
public record Resource(String group, String plural) {

  public static Resource core(String plural) {
    return new Resource("", plural);
  }
}

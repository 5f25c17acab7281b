package dev.evenkeel.kernel.selector;

import dev.evenkeel.kernel.schema.TextFormat;
import java.util.List;

/** What a label's key and value may look like, with upstream's words for what is wrong. */
public final class LabelSyntax {

  /** Of a key's name, the part behind the slash. */
  public static final int NAME_CHARS_MAX = 63;

  public static final int VALUE_CHARS_MAX = 63;

  /** Of a key's prefix, a DNS subdomain. */
  public static final int PREFIX_CHARS_MAX = 253;

  private LabelSyntax() {}

  /** What is wrong with the key; empty if nothing is. */
  public static List<String> keyErrors(String key) {
    return TextFormat.QUALIFIED_NAME.problems(key);
  }

  /** What is wrong with the value; empty if nothing is. */
  public static List<String> valueErrors(String value) {
    return TextFormat.LABEL_VALUE.problems(value);
  }
}

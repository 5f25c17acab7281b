package dev.evenkeel.serve.kinds.custom;

import dev.evenkeel.kernel.api.Meta;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What users of a version that is not to be used any more are told. */
final class Deprecation {

  private static final Pattern VERSION =
      Pattern.compile("v([0-9]{1,9})(?:(alpha|beta)([0-9]{1,9}))?");

  /** The more settled, then the newer a version is, the larger it is. */
  static final Comparator<String> BY_AGE =
      Comparator.comparing(Deprecation::rank, java.util.Arrays::compare)
          .thenComparing(Comparator.<String>reverseOrder());

  private Deprecation() {}

  /** The words; empty if the version may be used. */
  static String of(JsonNode version, JsonNode spec) {
    if (!version.path("deprecated").asBoolean(false)) {
      return "";
    }
    if (version.path("deprecationWarning").isString()) {
      return version.path("deprecationWarning").stringValue();
    }
    String name = Meta.text(version.path("name"));
    String better = better(name, spec);
    return said(name, spec)
        + " is deprecated"
        + (better == null ? "" : "; use " + said(better, spec));
  }

  private static String said(String version, JsonNode spec) {
    return Meta.text(spec.path("group"))
        + "/"
        + version
        + " "
        + Meta.text(spec.path("names").path("kind"));
  }

  private static @Nullable String better(String than, JsonNode spec) {
    String best = null;
    for (JsonNode other : spec.path("versions")) {
      String name = Meta.text(other.path("name"));
      if (other.path("served").asBoolean(false)
          && !other.path("deprecated").asBoolean(false)
          && BY_AGE.compare(name, than) > 0
          && (best == null || BY_AGE.compare(name, best) > 0)) {
        best = name;
      }
    }
    return best;
  }

  private static int[] rank(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      return new int[] {0, 0, 0};
    }
    String stage = matcher.group(2);
    int settled = stage == null ? 3 : stage.equals("beta") ? 2 : 1;
    int minor = stage == null ? 0 : Integer.parseInt(matcher.group(3));
    return new int[] {settled, Integer.parseInt(matcher.group(1)), minor};
  }
}

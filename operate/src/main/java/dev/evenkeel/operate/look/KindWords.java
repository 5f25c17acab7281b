package dev.evenkeel.operate.look;

import dev.evenkeel.operate.kubeconfig.ServerAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The words by which people name a server's kinds, as kubectl takes them: {@code Deployment},
 * {@code deployment}, {@code deployments}, {@code deploy}, {@code deployments.apps}.
 */
final class KindWords {

  /** All kinds in one answer. */
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  /**
   * @param words all that it is called, in lower case
   * @param groups what may stand behind a word and a dot
   */
  private record Named(String kind, List<String> words, List<String> groups) {

    boolean is(String word) {
      for (String own : words) {
        if (word.equals(own)
            || (word.startsWith(own + ".") && groups.contains(word.substring(own.length() + 1)))) {
          return true;
        }
      }
      return false;
    }
  }

  /** In the order of preference. */
  private final List<Named> all = new ArrayList<>();

  /** What can be asked for, as it is listed. */
  private final Set<String> listed = new TreeSet<>();

  private KindWords() {}

  /** Asks the server. */
  static KindWords read(ServerAccess where) throws InterruptedException {
    return of(
        ServerPages.read(where, "/api", AGGREGATED), ServerPages.read(where, "/apis", AGGREGATED));
  }

  /**
   * @param discoveries aggregated, those of kinds that win where two have one name first
   */
  static KindWords of(JsonNode... discoveries) {
    var words = new KindWords();
    for (JsonNode discovery : discoveries) {
      for (JsonNode group : discovery.path("items")) {
        for (JsonNode version : group.path("versions")) {
          String groupName = Output.text(group.path("metadata"), "name");
          List<String> groups =
              List.of(groupName, Output.text(version, "version") + "." + groupName);
          version.path("resources").forEach(resource -> words.add(resource, groups));
        }
      }
    }
    return words;
  }

  private void add(JsonNode resource, List<String> groups) {
    String kind = Output.text(resource.path("responseKind"), "kind");
    String plural = Output.text(resource, "resource");
    List<String> shortNames = new ArrayList<>();
    resource.path("shortNames").forEach(name -> shortNames.add(name.asString("")));
    List<String> words = new ArrayList<>(shortNames);
    words.add(plural);
    words.add(Output.text(resource, "singularResource"));
    words.add(kind.toLowerCase(Locale.ROOT));
    words.removeIf(String::isEmpty);
    all.add(new Named(kind, words, groups));
    for (JsonNode verb : resource.path("verbs")) {
      if (verb.asString("").equals("list")) {
        listed.add(
            shortNames.isEmpty() ? plural : plural + " (" + String.join(", ", shortNames) + ")");
      }
    }
  }

  /** The kind that is meant; null if there is none. */
  @Nullable String kind(String word) {
    String wanted = word.toLowerCase(Locale.ROOT);
    for (Named named : all) {
      if (named.is(wanted)) {
        return named.kind();
      }
    }
    return null;
  }

  /** What to say to somebody who named a kind that is not there. */
  String unknown(String word) {
    return "there is no kind '%s' on this server; ask about one of %s"
        .formatted(word, String.join(", ", listed));
  }
}

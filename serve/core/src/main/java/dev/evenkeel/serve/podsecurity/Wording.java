package dev.evenkeel.serve.podsecurity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** How upstream lists what it found. */
final class Wording {

  private Wording() {}

  static String quoted(Collection<String> items) {
    return items.isEmpty() ? "" : "\"" + String.join("\", \"", items) + "\"";
  }

  static String plural(String one, String many, Collection<?> of) {
    return of.size() == 1 ? one : many;
  }

  static String containers(Collection<String> names) {
    return plural("container", "containers", names) + " " + quoted(names);
  }

  static String volumes(Collection<String> names) {
    return plural("volume", "volumes", names) + " " + quoted(names);
  }

  /** Who did something: the pod itself, some of its containers, or both. */
  static List<String> setters(boolean pod, Collection<String> containers) {
    List<String> setters = new ArrayList<>();
    if (pod) {
      setters.add("pod");
    }
    if (!containers.isEmpty()) {
      setters.add(containers(containers));
    }
    return setters;
  }
}

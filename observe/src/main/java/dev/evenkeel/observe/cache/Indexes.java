package dev.evenkeel.observe.cache;

import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Owner;
import java.util.Collection;
import java.util.List;

/** Indexes that most controllers want. By namespace there is none: every cache is in that order. */
public final class Indexes {

  /** Says in which zone a node is, and after it whatever else carries the label. */
  public static final String ZONE_LABEL = "topology.kubernetes.io/zone";

  /** Says by which version of a policy an object was made or last judged. */
  public static final String POLICY_VERSION_LABEL = "evenkeel.dev/policy-version";

  private Indexes() {}

  /** Pods by the node that they are on; those without a node under no key. */
  public static <T> Index<T> node() {
    return new Index<>("node", object -> unlessEmpty(object.text("spec", "nodeName")));
  }

  /** Objects by the zone that their label names. */
  public static <T> Index<T> zone() {
    return label("zone", ZONE_LABEL);
  }

  /** Objects by the UIDs of their owners. */
  public static <T> Index<T> owner() {
    return new Index<>("owner", object -> object.owners().stream().map(Owner::uid).toList());
  }

  /** Pods by the name of their priority class, or by their priority if they name none. */
  public static <T> Index<T> priority() {
    return new Index<>("priority", Indexes::priorityOf);
  }

  /** Objects by the version of the policy that their label names; policies by their own. */
  public static <T> Index<T> policyVersion() {
    return new Index<>(
        "policy-version",
        object -> {
          String label = object.labels().getOrDefault(POLICY_VERSION_LABEL, "");
          return unlessEmpty(label.isEmpty() ? object.text("spec", "policyVersion") : label);
        });
  }

  /** Objects by the value of a label; those without it under no key. */
  public static <T> Index<T> label(String name, String label) {
    return new Index<>(name, object -> unlessEmpty(object.labels().getOrDefault(label, "")));
  }

  private static Collection<String> priorityOf(Cached<?> object) {
    String className = object.text("spec", "priorityClassName");
    return unlessEmpty(className.isEmpty() ? object.text("spec", "priority") : className);
  }

  private static Collection<String> unlessEmpty(String key) {
    return key.isEmpty() ? List.of() : List.of(key);
  }
}

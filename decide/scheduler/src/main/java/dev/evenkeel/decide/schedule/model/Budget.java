package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * How many pods of a sort may be taken away at once.
 *
 * @param selector which pods of its namespace; one that selects everything protects nobody
 * @param allowed so many more may go now
 * @param disrupted names of pods that are going already, and are counted
 */
public record Budget(
    String namespace, String name, LabelSelector selector, int allowed, Set<String> disrupted) {

  public Budget {
    disrupted = Set.copyOf(disrupted);
  }

  public static Budget of(ObjectNode budget) {
    var disrupted = new HashSet<String>();
    budget.path("status").path("disruptedPods").forEachEntry((name, _) -> disrupted.add(name));
    return new Budget(
        Meta.namespace(budget),
        Meta.name(budget),
        TermReader.selector(budget.path("spec").path("selector")),
        budget.path("status").path("disruptionsAllowed").asInt(0),
        disrupted);
  }

  /** {@code namespace/name}. */
  public String key() {
    return namespace + "/" + name;
  }

  /** Whether taking the pod away would have to be counted. */
  public boolean protects(PodInfo pod) {
    return namespace.equals(pod.namespace())
        && !pod.labels().isEmpty()
        && !selector.isEverything()
        && selector.matches(pod.labels())
        && !disrupted.contains(pod.name());
  }
}

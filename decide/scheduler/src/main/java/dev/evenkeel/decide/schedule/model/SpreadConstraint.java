package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.selector.LabelSelector;

/**
 * That pods are spread evenly over the domains of a topology.
 *
 * @param topologyKey the label of nodes whose values are the domains
 * @param maxSkew by how many a domain may be ahead of the emptiest
 * @param isRequired whether a node that breaks it is none; otherwise it only scores less
 * @param selector which pods are counted, the labels of {@code matchLabelKeys} among it
 * @param minDomains with fewer domains the emptiest counts as empty
 * @param honorsSelection whether only nodes count that the pod's node affinity lets pass
 * @param honorsTaints whether only nodes count whose taints the pod tolerates
 */
public record SpreadConstraint(
    String topologyKey,
    int maxSkew,
    boolean isRequired,
    LabelSelector selector,
    int minDomains,
    boolean honorsSelection,
    boolean honorsTaints) {

  public static final String HOSTNAME = "kubernetes.io/hostname";
  public static final String ZONE = "topology.kubernetes.io/zone";

  public boolean isByHost() {
    return topologyKey.equals(HOSTNAME);
  }
}

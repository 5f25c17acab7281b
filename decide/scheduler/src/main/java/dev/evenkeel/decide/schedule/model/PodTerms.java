package dev.evenkeel.decide.schedule.model;

import java.util.List;

/**
 * What a pod asks of the pods around it.
 *
 * @param near each must have a pod in the same domain
 * @param apart none may have one
 * @param preferred near if the weight is above zero, apart if below
 */
public record PodTerms(List<PodTerm> near, List<PodTerm> apart, List<PodTerm.Weighted> preferred) {

  public static final PodTerms NONE = new PodTerms(List.of(), List.of(), List.of());

  public PodTerms {
    near = List.copyOf(near);
    apart = List.copyOf(apart);
    preferred = List.copyOf(preferred);
  }
}

package dev.evenkeel.decide.schedule.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Taints that a pod does not mind.
 *
 * @param key empty for every key
 * @param anyValue whether the value does not matter
 * @param effect null for every effect
 */
public record Toleration(
    String key, boolean anyValue, String value, Taint.@Nullable Effect effect) {

  public boolean tolerates(Taint taint) {
    return (effect == null || effect == taint.effect())
        && (key.isEmpty() || key.equals(taint.key()))
        && (anyValue || value.equals(taint.value()));
  }

  public static boolean anyTolerates(List<Toleration> tolerations, Taint taint) {
    for (int i = 0; i < tolerations.size(); i++) {
      if (tolerations.get(i).tolerates(taint)) {
        return true;
      }
    }
    return false;
  }

  /** The first taint that keeps a pod with these tolerations away; null if none does. */
  public static @Nullable Taint firstUntolerated(List<Taint> taints, List<Toleration> tolerations) {
    for (int i = 0; i < taints.size(); i++) {
      Taint taint = taints.get(i);
      if (taint.keepsAway() && !anyTolerates(tolerations, taint)) {
        return taint;
      }
    }
    return null;
  }

  /** How many taints ask a pod with these tolerations to go elsewhere. */
  public static int countUnpreferred(List<Taint> taints, List<Toleration> tolerations) {
    int count = 0;
    for (int i = 0; i < taints.size(); i++) {
      Taint taint = taints.get(i);
      if (taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE && !anyTolerates(tolerations, taint)) {
        count++;
      }
    }
    return count;
  }
}

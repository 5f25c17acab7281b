package dev.evenkeel.decide.schedule.tenant;

/**
 * A quota that has no room for a pod.
 *
 * @param quota as {@code namespace/name}
 * @param zone whose nodes are none for the pod; empty for those of all zones
 * @param reason for people
 */
public record Hold(String quota, String zone, String reason) {

  public boolean isOn(String inZone) {
    return zone.isEmpty() || zone.equals(inZone);
  }
}

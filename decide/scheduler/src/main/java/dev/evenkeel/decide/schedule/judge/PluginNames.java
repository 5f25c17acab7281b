package dev.evenkeel.decide.schedule.judge;

/** Names of what decides, as kube-scheduler's users know them. */
public final class PluginNames {

  public static final String SCHEDULING_GATES = "SchedulingGates";
  public static final String NODE_UNSCHEDULABLE = "NodeUnschedulable";
  public static final String NODE_NAME = "NodeName";
  public static final String TAINT_TOLERATION = "TaintToleration";
  public static final String NODE_AFFINITY = "NodeAffinity";
  public static final String NODE_PORTS = "NodePorts";
  public static final String NODE_RESOURCES_FIT = "NodeResourcesFit";
  public static final String VOLUME_RESTRICTIONS = "VolumeRestrictions";
  public static final String VOLUME_BINDING = "VolumeBinding";
  public static final String VOLUME_ZONE = "VolumeZone";
  public static final String POD_TOPOLOGY_SPREAD = "PodTopologySpread";
  public static final String INTER_POD_AFFINITY = "InterPodAffinity";
  public static final String DEFAULT_PREEMPTION = "DefaultPreemption";
  public static final String BALANCED_ALLOCATION = "NodeResourcesBalancedAllocation";
  public static final String IMAGE_LOCALITY = "ImageLocality";

  /** Ours: what a namespace may have of a zone. */
  public static final String TENANT_QUOTA = "TenantQuota";

  /** Ours: room that is promised to others. */
  public static final String HELD_ROOM = "HeldRoom";

  /** Ours: what holds a group of pods together. */
  public static final String POD_GROUP = "PodGroup";

  private PluginNames() {}
}

package dev.evenkeel.observe.object;

import tools.jackson.databind.node.ObjectNode;

/** Built-in kinds, as trees: controllers carry whole templates, of which they know little. */
public final class Kinds {

  public static final Kind<ObjectNode> NAMESPACES =
      Kind.untyped("v1", "Namespace", "namespaces", false);

  public static final Kind<ObjectNode> NODES = Kind.untyped("v1", "Node", "nodes", false);

  public static final Kind<ObjectNode> PODS = Kind.untyped("v1", "Pod", "pods", true);

  public static final Kind<ObjectNode> SERVICES = Kind.untyped("v1", "Service", "services", true);

  public static final Kind<ObjectNode> ENDPOINTS =
      Kind.untyped("v1", "Endpoints", "endpoints", true);

  public static final Kind<ObjectNode> ENDPOINT_SLICES =
      Kind.untyped("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", true);

  public static final Kind<ObjectNode> SERVICE_ACCOUNTS =
      Kind.untyped("v1", "ServiceAccount", "serviceaccounts", true);

  public static final Kind<ObjectNode> CONFIG_MAPS =
      Kind.untyped("v1", "ConfigMap", "configmaps", true);

  public static final Kind<ObjectNode> RESOURCE_QUOTAS =
      Kind.untyped("v1", "ResourceQuota", "resourcequotas", true);

  public static final Kind<ObjectNode> VOLUME_CLAIMS =
      Kind.untyped("v1", "PersistentVolumeClaim", "persistentvolumeclaims", true);

  public static final Kind<ObjectNode> VOLUMES =
      Kind.untyped("v1", "PersistentVolume", "persistentvolumes", false);

  public static final Kind<ObjectNode> STORAGE_CLASSES =
      Kind.untyped("storage.k8s.io/v1", "StorageClass", "storageclasses", false);

  public static final Kind<ObjectNode> VOLUME_CLASSES =
      Kind.untyped("storage.k8s.io/v1", "VolumeAttributesClass", "volumeattributesclasses", false);

  public static final Kind<ObjectNode> LEASES =
      Kind.untyped("coordination.k8s.io/v1", "Lease", "leases", true);

  public static final Kind<ObjectNode> SERVICE_CIDRS =
      Kind.untyped("networking.k8s.io/v1", "ServiceCIDR", "servicecidrs", false);

  public static final Kind<ObjectNode> IP_ADDRESSES =
      Kind.untyped("networking.k8s.io/v1", "IPAddress", "ipaddresses", false);

  public static final Kind<ObjectNode> REPLICATION_CONTROLLERS =
      Kind.untyped("v1", "ReplicationController", "replicationcontrollers", true);

  public static final Kind<ObjectNode> REPLICA_SETS =
      Kind.untyped("apps/v1", "ReplicaSet", "replicasets", true);

  public static final Kind<ObjectNode> DEPLOYMENTS =
      Kind.untyped("apps/v1", "Deployment", "deployments", true);

  public static final Kind<ObjectNode> STATEFUL_SETS =
      Kind.untyped("apps/v1", "StatefulSet", "statefulsets", true);

  public static final Kind<ObjectNode> DAEMON_SETS =
      Kind.untyped("apps/v1", "DaemonSet", "daemonsets", true);

  public static final Kind<ObjectNode> CONTROLLER_REVISIONS =
      Kind.untyped("apps/v1", "ControllerRevision", "controllerrevisions", true);

  public static final Kind<ObjectNode> JOBS = Kind.untyped("batch/v1", "Job", "jobs", true);

  public static final Kind<ObjectNode> CRON_JOBS =
      Kind.untyped("batch/v1", "CronJob", "cronjobs", true);

  public static final Kind<ObjectNode> DISRUPTION_BUDGETS =
      Kind.untyped("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", true);

  public static final Kind<ObjectNode> EVENTS = Kind.untyped("v1", "Event", "events", true);

  public static final Kind<ObjectNode> TENANT_QUOTAS =
      Kind.untyped("evenkeel.dev/v1alpha1", "TenantQuota", "tenantquotas", true);

  public static final Kind<ObjectNode> POD_GROUPS =
      Kind.untyped("evenkeel.dev/v1alpha1", "PodGroup", "podgroups", true);

  public static final Kind<ObjectNode> SCHEDULING_POLICIES =
      Kind.untyped("evenkeel.dev/v1alpha1", "SchedulingPolicy", "schedulingpolicies", false);

  private Kinds() {}
}

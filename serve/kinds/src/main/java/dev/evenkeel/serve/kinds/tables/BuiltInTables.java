package dev.evenkeel.serve.kinds.tables;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.kinds.TablePrinter;
import java.util.HashMap;
import java.util.Map;

/** The printers of the built-in kinds. */
public final class BuiltInTables {

  private static final TablePrinter PLAIN = ClusterTables.plain();

  private static final Map<Gvk, TablePrinter> PRINTERS = new HashMap<>();

  static {
    core();
    put("apps/v1", "Deployment", WorkloadTables.deployments());
    put("apps/v1", "ReplicaSet", WorkloadTables.replicaSets());
    put("apps/v1", "StatefulSet", WorkloadTables.statefulSets());
    put("apps/v1", "DaemonSet", WorkloadTables.daemonSets());
    put("apps/v1", "ControllerRevision", WorkloadTables.controllerRevisions());
    put("batch/v1", "Job", WorkloadTables.jobs());
    put("batch/v1", "CronJob", WorkloadTables.cronJobs());
    put("autoscaling/v1", "HorizontalPodAutoscaler", AutoscalerTable.autoscalersV1());
    put("autoscaling/v2", "HorizontalPodAutoscaler", AutoscalerTable.autoscalers());
    put("autoscaling/v1", "Scale", WorkloadTables.scales());
    put("coordination.k8s.io/v1", "Lease", ClusterTables.leases());
    put("scheduling.k8s.io/v1", "PriorityClass", ClusterTables.priorityClasses());
    put("policy/v1", "PodDisruptionBudget", ClusterTables.disruptionBudgets());
    put("events.k8s.io/v1", "Event", EventTable.events());
    put("node.k8s.io/v1", "RuntimeClass", ClusterTables.runtimeClasses());
    network();
    storage();
    access();
    extension();
  }

  private BuiltInTables() {}

  /** The kind's printer; name and age for a kind that has none. */
  public static TablePrinter of(Gvk gvk) {
    return PRINTERS.getOrDefault(gvk, PLAIN);
  }

  private static void core() {
    put("v1", "Namespace", ClusterTables.namespaces());
    put("v1", "Node", NodeTable.nodes());
    put("v1", "Pod", new PodTable());
    put("v1", "PodTemplate", WorkloadTables.podTemplates());
    put("v1", "ReplicationController", WorkloadTables.replicationControllers());
    put("v1", "ConfigMap", ClusterTables.configMaps());
    put("v1", "Secret", AccessTables.secrets());
    put("v1", "Service", NetworkTables.services());
    put("v1", "Endpoints", NetworkTables.endpoints());
    put("v1", "ServiceAccount", AccessTables.serviceAccounts());
    put("v1", "Event", EventTable.coreEvents());
    put("v1", "ResourceQuota", ClusterTables.resourceQuotas());
    put("v1", "LimitRange", ClusterTables.dated());
    put("v1", "PersistentVolume", StorageTables.persistentVolumes());
    put("v1", "PersistentVolumeClaim", StorageTables.persistentVolumeClaims());
  }

  private static void network() {
    put("discovery.k8s.io/v1", "EndpointSlice", NetworkTables.endpointSlices());
    put("networking.k8s.io/v1", "Ingress", NetworkTables.ingresses());
    put("networking.k8s.io/v1", "IngressClass", NetworkTables.ingressClasses());
    put("networking.k8s.io/v1", "NetworkPolicy", NetworkTables.networkPolicies());
  }

  private static void storage() {
    String group = "storage.k8s.io/v1";
    put(group, "StorageClass", StorageTables.storageClasses());
    put(group, "CSINode", StorageTables.csiNodes());
    put(group, "CSIDriver", StorageTables.csiDrivers());
    put(group, "CSIStorageCapacity", ClusterTables.dated());
    put(group, "VolumeAttachment", StorageTables.volumeAttachments());
    put(group, "VolumeAttributesClass", StorageTables.volumeAttributesClasses());
  }

  private static void access() {
    String group = "rbac.authorization.k8s.io/v1";
    put(group, "Role", ClusterTables.dated());
    put(group, "ClusterRole", ClusterTables.dated());
    put(group, "RoleBinding", AccessTables.bindings());
    put(group, "ClusterRoleBinding", AccessTables.bindings());
    put(
        "certificates.k8s.io/v1",
        "CertificateSigningRequest",
        AccessTables.certificateSigningRequests());
    String flowControl = "flowcontrol.apiserver.k8s.io/v1";
    put(flowControl, "FlowSchema", ClusterTables.flowSchemas());
    put(flowControl, "PriorityLevelConfiguration", ClusterTables.priorityLevels());
  }

  private static void extension() {
    String group = "admissionregistration.k8s.io/v1";
    put(group, "MutatingWebhookConfiguration", ClusterTables.webhookConfigurations());
    put(group, "ValidatingWebhookConfiguration", ClusterTables.webhookConfigurations());
    put(
        group,
        "ValidatingAdmissionPolicy",
        ClusterTables.admissionPolicies("Validations", "validations"));
    put(group, "ValidatingAdmissionPolicyBinding", ClusterTables.admissionPolicyBindings());
    put("apiextensions.k8s.io/v1", "CustomResourceDefinition", ClusterTables.dated());
    put("apiregistration.k8s.io/v1", "APIService", ClusterTables.apiServices());
  }

  private static void put(String apiVersion, String kind, TablePrinter printer) {
    PRINTERS.put(Gvk.of(apiVersion, kind), printer);
  }
}

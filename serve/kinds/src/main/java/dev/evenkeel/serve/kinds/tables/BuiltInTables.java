package dev.evenkeel.serve.kinds.tables;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.kinds.TablePrinter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The printers of the built-in kinds. */
public final class BuiltInTables {

  private BuiltInTables() {}

  /** The kind's printer; name and age for a kind that has none. */
  public static TablePrinter of(Gvk gvk) {
    return new WhenUsed(gvk);
  }

  /**
   * Makes a kind's columns when the first table is asked for: a server knows fifty kinds at start,
   * and most are never listed.
   *
   * <p>Invariants: once made, the printer never changes. Threading: any thread; two that come first
   * make equal printers.
   */
  private static final class WhenUsed implements TablePrinter {

    private final Gvk gvk;
    private volatile @Nullable TablePrinter made;

    WhenUsed(Gvk gvk) {
      this.gvk = gvk;
    }

    @Override
    public List<Column> columns() {
      return printer().columns();
    }

    @Override
    public List<JsonNode> cells(ObjectNode object, Instant now) {
      return printer().cells(object, now);
    }

    private TablePrinter printer() {
      TablePrinter known = made;
      if (known == null) {
        known = make(gvk);
        made = known;
      }
      return known;
    }
  }

  private static TablePrinter make(Gvk gvk) {
    return switch (gvk.apiVersion()) {
      case "v1" -> core(gvk.kind());
      case "apps/v1", "batch/v1", "autoscaling/v1", "autoscaling/v2" -> workload(gvk);
      case "discovery.k8s.io/v1", "networking.k8s.io/v1" -> network(gvk.kind());
      case "storage.k8s.io/v1" -> storage(gvk.kind());
      case "rbac.authorization.k8s.io/v1", "certificates.k8s.io/v1" -> access(gvk.kind());
      case "admissionregistration.k8s.io/v1",
          "admissionregistration.k8s.io/v1beta1",
          "apiextensions.k8s.io/v1",
          "apiregistration.k8s.io/v1" ->
          extension(gvk.kind());
      default -> cluster(gvk);
    };
  }

  private static TablePrinter core(String kind) {
    return switch (kind) {
      case "Namespace" -> ClusterTables.namespaces();
      case "Node" -> NodeTable.nodes();
      case "Pod" -> new PodTable();
      case "PodTemplate" -> WorkloadTables.podTemplates();
      case "ReplicationController" -> WorkloadTables.replicationControllers();
      case "ConfigMap" -> ClusterTables.configMaps();
      case "Secret" -> AccessTables.secrets();
      case "Service" -> NetworkTables.services();
      case "Endpoints" -> NetworkTables.endpoints();
      case "ServiceAccount" -> AccessTables.serviceAccounts();
      case "Event" -> EventTable.coreEvents();
      case "ResourceQuota" -> ClusterTables.resourceQuotas();
      case "LimitRange" -> ClusterTables.dated();
      case "ComponentStatus" -> ClusterTables.componentStatuses();
      case "PersistentVolume" -> StorageTables.persistentVolumes();
      case "PersistentVolumeClaim" -> StorageTables.persistentVolumeClaims();
      default -> ClusterTables.plain();
    };
  }

  private static TablePrinter workload(Gvk gvk) {
    return switch (gvk.kind()) {
      case "Deployment" -> WorkloadTables.deployments();
      case "ReplicaSet" -> WorkloadTables.replicaSets();
      case "StatefulSet" -> WorkloadTables.statefulSets();
      case "DaemonSet" -> WorkloadTables.daemonSets();
      case "ControllerRevision" -> WorkloadTables.controllerRevisions();
      case "Job" -> WorkloadTables.jobs();
      case "CronJob" -> WorkloadTables.cronJobs();
      case "HorizontalPodAutoscaler" ->
          gvk.version().equals("v1")
              ? AutoscalerTable.autoscalersV1()
              : AutoscalerTable.autoscalers();
      case "Scale" -> WorkloadTables.scales();
      default -> ClusterTables.plain();
    };
  }

  private static TablePrinter network(String kind) {
    return switch (kind) {
      case "EndpointSlice" -> NetworkTables.endpointSlices();
      case "Ingress" -> NetworkTables.ingresses();
      case "IngressClass" -> NetworkTables.ingressClasses();
      case "IPAddress" -> NetworkTables.ipAddresses();
      case "NetworkPolicy" -> NetworkTables.networkPolicies();
      case "ServiceCIDR" -> NetworkTables.serviceCidrs();
      default -> ClusterTables.plain();
    };
  }

  private static TablePrinter storage(String kind) {
    return switch (kind) {
      case "StorageClass" -> StorageTables.storageClasses();
      case "CSINode" -> StorageTables.csiNodes();
      case "CSIDriver" -> StorageTables.csiDrivers();
      case "CSIStorageCapacity" -> ClusterTables.dated();
      case "VolumeAttachment" -> StorageTables.volumeAttachments();
      case "VolumeAttributesClass" -> StorageTables.volumeAttributesClasses();
      default -> ClusterTables.plain();
    };
  }

  private static TablePrinter access(String kind) {
    return switch (kind) {
      case "Role", "ClusterRole" -> ClusterTables.dated();
      case "RoleBinding", "ClusterRoleBinding" -> AccessTables.bindings();
      case "CertificateSigningRequest" -> AccessTables.certificateSigningRequests();
      default -> ClusterTables.plain();
    };
  }

  private static TablePrinter extension(String kind) {
    return switch (kind) {
      case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration" ->
          ClusterTables.webhookConfigurations();
      case "ValidatingAdmissionPolicy" ->
          ClusterTables.admissionPolicies("Validations", "validations");
      case "MutatingAdmissionPolicy" -> ClusterTables.admissionPolicies("Mutations", "mutations");
      case "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicyBinding" ->
          ClusterTables.admissionPolicyBindings();
      case "CustomResourceDefinition" -> ClusterTables.dated();
      case "APIService" -> ClusterTables.apiServices();
      default -> ClusterTables.plain();
    };
  }

  private static TablePrinter cluster(Gvk gvk) {
    return switch (gvk.apiVersion() + "/" + gvk.kind()) {
      case "coordination.k8s.io/v1/Lease" -> ClusterTables.leases();
      case "scheduling.k8s.io/v1/PriorityClass" -> ClusterTables.priorityClasses();
      case "policy/v1/PodDisruptionBudget" -> ClusterTables.disruptionBudgets();
      case "events.k8s.io/v1/Event" -> EventTable.events();
      case "node.k8s.io/v1/RuntimeClass" -> ClusterTables.runtimeClasses();
      case "flowcontrol.apiserver.k8s.io/v1/FlowSchema" -> ClusterTables.flowSchemas();
      case "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration" ->
          ClusterTables.priorityLevels();
      case "resource.k8s.io/v1/DeviceClass", "resource.k8s.io/v1/ResourceClaimTemplate" ->
          ClusterTables.plain();
      case "resource.k8s.io/v1/ResourceClaim" -> ClusterTables.resourceClaims();
      case "resource.k8s.io/v1/ResourceSlice" -> ClusterTables.resourceSlices();
      case "evenkeel.dev/v1alpha1/PodGroup" -> ClusterTables.podGroups();
      case "evenkeel.dev/v1alpha1/SchedulingPolicy" -> ClusterTables.schedulingPolicies();
      case "evenkeel.dev/v1alpha1/TenantQuota" -> ClusterTables.tenantQuotas();
      default -> ClusterTables.plain();
    };
  }
}

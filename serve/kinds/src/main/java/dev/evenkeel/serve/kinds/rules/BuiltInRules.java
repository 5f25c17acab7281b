package dev.evenkeel.serve.kinds.rules;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.access.CertificateSigningRequestRules;
import dev.evenkeel.serve.kinds.rules.access.RoleBindingRules;
import dev.evenkeel.serve.kinds.rules.access.RoleRules;
import dev.evenkeel.serve.kinds.rules.cluster.BindingRules;
import dev.evenkeel.serve.kinds.rules.cluster.ConfigMapRules;
import dev.evenkeel.serve.kinds.rules.cluster.EventRules;
import dev.evenkeel.serve.kinds.rules.cluster.LeaseRules;
import dev.evenkeel.serve.kinds.rules.cluster.LimitRangeRules;
import dev.evenkeel.serve.kinds.rules.cluster.NamespaceRules;
import dev.evenkeel.serve.kinds.rules.cluster.NodeRules;
import dev.evenkeel.serve.kinds.rules.cluster.PodGroupRules;
import dev.evenkeel.serve.kinds.rules.cluster.PriorityClassRules;
import dev.evenkeel.serve.kinds.rules.cluster.ResourceQuotaRules;
import dev.evenkeel.serve.kinds.rules.cluster.RuntimeClassRules;
import dev.evenkeel.serve.kinds.rules.cluster.SchedulingPolicyRules;
import dev.evenkeel.serve.kinds.rules.cluster.SecretRules;
import dev.evenkeel.serve.kinds.rules.cluster.TenantQuotaRules;
import dev.evenkeel.serve.kinds.rules.device.DeviceClassRules;
import dev.evenkeel.serve.kinds.rules.device.ResourceClaimRules;
import dev.evenkeel.serve.kinds.rules.device.ResourceClaimTemplateRules;
import dev.evenkeel.serve.kinds.rules.device.ResourceSliceRules;
import dev.evenkeel.serve.kinds.rules.extension.AdmissionPolicyBindingRules;
import dev.evenkeel.serve.kinds.rules.extension.AdmissionPolicyRules;
import dev.evenkeel.serve.kinds.rules.extension.ApiServiceRules;
import dev.evenkeel.serve.kinds.rules.extension.CustomResourceDefinitionRules;
import dev.evenkeel.serve.kinds.rules.extension.FlowSchemaRules;
import dev.evenkeel.serve.kinds.rules.extension.PriorityLevelRules;
import dev.evenkeel.serve.kinds.rules.extension.WebhookConfigurationRules;
import dev.evenkeel.serve.kinds.rules.network.EndpointSliceRules;
import dev.evenkeel.serve.kinds.rules.network.EndpointsRules;
import dev.evenkeel.serve.kinds.rules.network.IngressClassRules;
import dev.evenkeel.serve.kinds.rules.network.IngressRules;
import dev.evenkeel.serve.kinds.rules.network.IpAddressRules;
import dev.evenkeel.serve.kinds.rules.network.NetworkPolicyRules;
import dev.evenkeel.serve.kinds.rules.network.ServiceCidrRules;
import dev.evenkeel.serve.kinds.rules.network.ServiceRules;
import dev.evenkeel.serve.kinds.rules.pod.PodRules;
import dev.evenkeel.serve.kinds.rules.pod.PodTemplateRules;
import dev.evenkeel.serve.kinds.rules.storage.CsiDriverRules;
import dev.evenkeel.serve.kinds.rules.storage.CsiNodeRules;
import dev.evenkeel.serve.kinds.rules.storage.PersistentVolumeClaimRules;
import dev.evenkeel.serve.kinds.rules.storage.PersistentVolumeRules;
import dev.evenkeel.serve.kinds.rules.storage.StorageClassRules;
import dev.evenkeel.serve.kinds.rules.storage.VolumeAttachmentRules;
import dev.evenkeel.serve.kinds.rules.storage.VolumeAttributesClassRules;
import dev.evenkeel.serve.kinds.rules.workload.AutoscalerRules;
import dev.evenkeel.serve.kinds.rules.workload.ControllerRevisionRules;
import dev.evenkeel.serve.kinds.rules.workload.CronJobRules;
import dev.evenkeel.serve.kinds.rules.workload.DaemonSetRules;
import dev.evenkeel.serve.kinds.rules.workload.DeploymentRules;
import dev.evenkeel.serve.kinds.rules.workload.DisruptionBudgetRules;
import dev.evenkeel.serve.kinds.rules.workload.JobRules;
import dev.evenkeel.serve.kinds.rules.workload.ReplicaSetRules;
import dev.evenkeel.serve.kinds.rules.workload.ReplicationControllerRules;
import dev.evenkeel.serve.kinds.rules.workload.StatefulSetRules;

/** Finds the rules of a built-in kind. */
public final class BuiltInRules {

  private BuiltInRules() {}

  /** The kind's rules; {@link KindRules#NONE} for a kind that has none. */
  public static KindRules of(Gvk gvk) {
    return switch (gvk.apiVersion()) {
      case "v1" -> core(gvk.kind());
      case "apps/v1", "batch/v1", "policy/v1", "autoscaling/v1", "autoscaling/v2" -> workload(gvk);
      case "networking.k8s.io/v1", "discovery.k8s.io/v1" -> network(gvk.kind());
      case "storage.k8s.io/v1" -> storage(gvk.kind());
      case "rbac.authorization.k8s.io/v1", "certificates.k8s.io/v1" -> access(gvk.kind());
      case "admissionregistration.k8s.io/v1",
          "admissionregistration.k8s.io/v1beta1",
          "apiextensions.k8s.io/v1",
          "flowcontrol.apiserver.k8s.io/v1" ->
          extension(gvk.kind());
      default -> cluster(gvk.apiVersion() + "/" + gvk.kind());
    };
  }

  private static KindRules core(String kind) {
    return switch (kind) {
      case "Pod" -> new PodRules();
      case "PodTemplate" -> new PodTemplateRules();
      case "ReplicationController" -> new ReplicationControllerRules();
      case "Binding" -> new BindingRules();
      case "Namespace" -> new NamespaceRules();
      case "Node" -> new NodeRules();
      case "ConfigMap" -> new ConfigMapRules();
      case "Secret" -> new SecretRules();
      case "Service" -> new ServiceRules();
      case "Endpoints" -> new EndpointsRules();
      case "Event" -> EventRules.ofCore();
      case "ResourceQuota" -> new ResourceQuotaRules();
      case "LimitRange" -> new LimitRangeRules();
      case "PersistentVolume" -> new PersistentVolumeRules();
      case "PersistentVolumeClaim" -> new PersistentVolumeClaimRules();
      default -> KindRules.NONE;
    };
  }

  private static KindRules workload(Gvk gvk) {
    return switch (gvk.kind()) {
      case "Deployment" -> new DeploymentRules();
      case "ReplicaSet" -> new ReplicaSetRules();
      case "StatefulSet" -> new StatefulSetRules();
      case "DaemonSet" -> new DaemonSetRules();
      case "ControllerRevision" -> new ControllerRevisionRules();
      case "Job" -> new JobRules();
      case "CronJob" -> new CronJobRules();
      case "PodDisruptionBudget" -> new DisruptionBudgetRules();
      case "HorizontalPodAutoscaler" ->
          gvk.version().equals("v1") ? AutoscalerRules.v1() : AutoscalerRules.v2();
      default -> KindRules.NONE;
    };
  }

  private static KindRules network(String kind) {
    return switch (kind) {
      case "EndpointSlice" -> new EndpointSliceRules();
      case "Ingress" -> new IngressRules();
      case "IngressClass" -> new IngressClassRules();
      case "IPAddress" -> new IpAddressRules();
      case "NetworkPolicy" -> new NetworkPolicyRules();
      case "ServiceCIDR" -> new ServiceCidrRules();
      default -> KindRules.NONE;
    };
  }

  private static KindRules storage(String kind) {
    return switch (kind) {
      case "StorageClass" -> new StorageClassRules();
      case "CSIDriver" -> new CsiDriverRules();
      case "CSINode" -> new CsiNodeRules();
      case "VolumeAttachment" -> new VolumeAttachmentRules();
      case "VolumeAttributesClass" -> new VolumeAttributesClassRules();
      default -> KindRules.NONE;
    };
  }

  private static KindRules access(String kind) {
    return switch (kind) {
      case "Role" -> RoleRules.ofNamespace();
      case "ClusterRole" -> RoleRules.ofCluster();
      case "RoleBinding" -> RoleBindingRules.ofNamespace();
      case "ClusterRoleBinding" -> RoleBindingRules.ofCluster();
      case "CertificateSigningRequest" -> new CertificateSigningRequestRules();
      default -> KindRules.NONE;
    };
  }

  private static KindRules extension(String kind) {
    return switch (kind) {
      case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration" ->
          new WebhookConfigurationRules();
      case "ValidatingAdmissionPolicy" -> AdmissionPolicyRules.validating();
      case "MutatingAdmissionPolicy" -> AdmissionPolicyRules.mutating();
      case "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicyBinding" ->
          new AdmissionPolicyBindingRules();
      case "CustomResourceDefinition" -> new CustomResourceDefinitionRules();
      case "FlowSchema" -> new FlowSchemaRules();
      case "PriorityLevelConfiguration" -> new PriorityLevelRules();
      default -> KindRules.NONE;
    };
  }

  private static KindRules cluster(String kind) {
    return switch (kind) {
      case "apiregistration.k8s.io/v1/APIService" -> new ApiServiceRules();
      case "coordination.k8s.io/v1/Lease" -> new LeaseRules();
      case "scheduling.k8s.io/v1/PriorityClass" -> new PriorityClassRules();
      case "events.k8s.io/v1/Event" -> EventRules.ofOwnGroup();
      case "node.k8s.io/v1/RuntimeClass" -> new RuntimeClassRules();
      case "resource.k8s.io/v1/DeviceClass" -> new DeviceClassRules();
      case "resource.k8s.io/v1/ResourceClaim" -> new ResourceClaimRules();
      case "resource.k8s.io/v1/ResourceClaimTemplate" -> new ResourceClaimTemplateRules();
      case "resource.k8s.io/v1/ResourceSlice" -> new ResourceSliceRules();
      case "evenkeel.dev/v1alpha1/PodGroup" -> new PodGroupRules();
      case "evenkeel.dev/v1alpha1/SchedulingPolicy" -> new SchedulingPolicyRules();
      case "evenkeel.dev/v1alpha1/TenantQuota" -> new TenantQuotaRules();
      default -> KindRules.NONE;
    };
  }
}

package dev.evenkeel.serve.object;

import dev.evenkeel.kernel.apply.FieldSet;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * In what writes differ from kind to kind: whether an update must name the version that it
 * replaces, what metadata can be written beside a status, and which fields nobody comes to own
 * because a way of writing does not write them.
 */
public final class WriteStrategy {

  /** Kinds of which a lost update would do harm, as upstream has it; users' own kinds as well. */
  private static final Set<String> NEED_VERSION =
      Set.of(
          "admissionregistration.k8s.io/mutatingadmissionpolicies",
          "admissionregistration.k8s.io/mutatingadmissionpolicybindings",
          "admissionregistration.k8s.io/mutatingwebhookconfigurations",
          "admissionregistration.k8s.io/validatingadmissionpolicies",
          "admissionregistration.k8s.io/validatingadmissionpolicybindings",
          "admissionregistration.k8s.io/validatingwebhookconfigurations",
          "apiextensions.k8s.io/customresourcedefinitions",
          "apiregistration.k8s.io/apiservices",
          "certificates.k8s.io/clustertrustbundles",
          "certificates.k8s.io/podcertificaterequests",
          "coordination.k8s.io/leasecandidates",
          "coordination.k8s.io/leases",
          "internal.apiserver.k8s.io/storageversions",
          "node.k8s.io/runtimeclasses",
          "policy/poddisruptionbudgets",
          "storage.k8s.io/csidrivers",
          "storage.k8s.io/csinodes",
          "storage.k8s.io/csistoragecapacities",
          "storage.k8s.io/volumeattachments",
          "storagemigration.k8s.io/storageversionmigrations");

  private static final List<String> ALL_METADATA =
      List.of("labels", "annotations", "finalizers", "ownerReferences");

  /** What of its metadata a kind keeps when its status is written; others take what is sent. */
  private static final Map<String, List<String>> KEPT_BESIDE_STATUS =
      Map.ofEntries(
          Map.entry("/pods", List.of("ownerReferences")),
          Map.entry("apps/deployments", List.of("labels")),
          Map.entry("admissionregistration.k8s.io/validatingadmissionpolicies", ALL_METADATA),
          Map.entry("apiregistration.k8s.io/apiservices", ALL_METADATA),
          Map.entry("certificates.k8s.io/podcertificaterequests", ALL_METADATA),
          Map.entry("flowcontrol.apiserver.k8s.io/flowschemas", ALL_METADATA),
          Map.entry("flowcontrol.apiserver.k8s.io/prioritylevelconfigurations", ALL_METADATA),
          Map.entry("internal.apiserver.k8s.io/storageversions", ALL_METADATA),
          Map.entry("networking.k8s.io/servicecidrs", ALL_METADATA),
          Map.entry("resource.k8s.io/resourceclaims", ALL_METADATA),
          Map.entry("storage.k8s.io/volumeattachments", ALL_METADATA),
          Map.entry("storagemigration.k8s.io/storageversionmigrations", ALL_METADATA));

  private static final FieldSet STATUS = fields("status");
  private static final FieldSet SPEC = fields("spec");
  private static final FieldSet SPEC_AND_METADATA = fields("spec", "metadata");
  private static final FieldSet SPEC_AND_STATUS = fields("spec", "status");

  /** What nobody owns by writing a status, where that is not the spec alone. */
  private static final Map<String, FieldSet> RESET_BY_STATUS =
      Map.ofEntries(
          Map.entry(
              "/pods", fields("spec", "metadata.deletionTimestamp", "metadata.ownerReferences")),
          Map.entry("apps/deployments", fields("spec", "metadata.labels")),
          Map.entry(
              "certificates.k8s.io/certificatesigningrequests",
              fields("spec", "status.conditions")),
          Map.entry("admissionregistration.k8s.io/validatingadmissionpolicies", SPEC_AND_METADATA),
          Map.entry("apiextensions.k8s.io/customresourcedefinitions", SPEC_AND_METADATA),
          Map.entry("apiregistration.k8s.io/apiservices", SPEC_AND_METADATA),
          Map.entry("flowcontrol.apiserver.k8s.io/flowschemas", SPEC_AND_METADATA),
          Map.entry("flowcontrol.apiserver.k8s.io/prioritylevelconfigurations", SPEC_AND_METADATA),
          Map.entry("internal.apiserver.k8s.io/storageversions", SPEC_AND_METADATA),
          Map.entry("storage.k8s.io/volumeattachments", SPEC_AND_METADATA),
          Map.entry("storagemigration.k8s.io/storageversionmigrations", SPEC_AND_METADATA));

  private static final FieldSet RESET_BY_APPROVAL = fields("spec", "status.certificate");

  private WriteStrategy() {}

  private static FieldSet fields(String... paths) {
    return FieldSet.ofNames(
        Arrays.stream(paths).map(path -> List.of(path.split("\\.", -1))).toList());
  }

  private static String key(ResourceDefinition definition) {
    return definition.group() + "/" + definition.plural();
  }

  /** Whether an update must say which version it replaces. */
  public static boolean needsVersion(ResourceDefinition definition) {
    return definition.rules().isCustom() || NEED_VERSION.contains(key(definition));
  }

  /** The fields of metadata that a write of the status leaves as they are. */
  static List<String> keptBesideStatus(ResourceDefinition definition) {
    return definition.rules().isCustom()
        ? ALL_METADATA
        : KEPT_BESIDE_STATUS.getOrDefault(key(definition), List.of());
  }

  /** What nobody comes to own by a write through that subresource. */
  public static FieldSet reset(ResourceDefinition definition, String subresource) {
    boolean custom = definition.rules().isCustom();
    return switch (subresource) {
      case "status" -> custom ? SPEC : RESET_BY_STATUS.getOrDefault(key(definition), SPEC);
      case "approval" -> RESET_BY_APPROVAL;
      default ->
          !definition.hasSubresource("status")
              ? FieldSet.EMPTY
              : key(definition).equals("certificates.k8s.io/certificatesigningrequests")
                  ? SPEC_AND_STATUS
                  : STATUS;
    };
  }
}

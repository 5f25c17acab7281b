package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Gvk;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The groups and versions in which Kubernetes has the kinds that every group takes in and sends
 * out. Some are not served any more, or never were: clients of those find the kinds by them all the
 * same.
 */
final class PublishedGroups {

  private static final Set<String> SHARED_BY_ALL = Set.of("DeleteOptions", "WatchEvent");

  private static final List<String> VERSIONS =
      List.of(
          "v1",
          "admission.k8s.io/v1 v1beta1",
          "admissionregistration.k8s.io/v1 v1alpha1 v1beta1",
          "apiextensions.k8s.io/v1 v1beta1",
          "apiregistration.k8s.io/v1 v1beta1",
          "apps/v1 v1beta1 v1beta2",
          "authentication.k8s.io/v1 v1alpha1 v1beta1",
          "authorization.k8s.io/v1 v1beta1",
          "autoscaling/v1 v2 v2beta1 v2beta2",
          "batch/v1 v1beta1",
          "certificates.k8s.io/v1 v1alpha1 v1beta1",
          "coordination.k8s.io/v1 v1alpha2 v1beta1",
          "discovery.k8s.io/v1 v1beta1",
          "events.k8s.io/v1 v1beta1",
          "extensions/v1beta1",
          "flowcontrol.apiserver.k8s.io/v1 v1beta1 v1beta2 v1beta3",
          "imagepolicy.k8s.io/v1alpha1",
          "internal.apiserver.k8s.io/v1alpha1",
          "networking.k8s.io/v1 v1beta1",
          "node.k8s.io/v1 v1alpha1 v1beta1",
          "policy/v1 v1beta1",
          "rbac.authorization.k8s.io/v1 v1alpha1 v1beta1",
          "resource.k8s.io/v1 v1alpha3 v1beta1 v1beta2",
          "scheduling.k8s.io/v1 v1alpha1 v1beta1",
          "storage.k8s.io/v1 v1alpha1 v1beta1",
          "storagemigration.k8s.io/v1alpha1");

  private PublishedGroups() {}

  /** Built in here and not in Kubernetes, so not among the groups that its clients expect. */
  private static final String OWN = "evenkeel.dev";

  /**
   * All of them and those of custom groups, if one of these is published; the document of a custom
   * group names that group only.
   */
  static Collection<Gvk> of(Collection<Gvk> shared) {
    for (Gvk one : shared) {
      if (!SHARED_BY_ALL.contains(one.kind())) {
        return shared;
      }
      List<Gvk> published = named(one.kind());
      if (published.contains(one)) {
        Set<Gvk> all = new LinkedHashSet<>(published);
        shared.stream().filter(kind -> !kind.group().equals(OWN)).forEach(all::add);
        return all;
      }
    }
    return shared;
  }

  private static List<Gvk> named(String kind) {
    List<Gvk> all = new ArrayList<>();
    for (String line : VERSIONS) {
      int slash = line.indexOf('/');
      String group = slash < 0 ? "" : line.substring(0, slash);
      for (String version : line.substring(slash + 1).split(" ", -1)) {
        all.add(new Gvk(group, version, kind));
      }
    }
    return all;
  }
}

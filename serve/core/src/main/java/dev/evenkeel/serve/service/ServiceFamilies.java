package dev.evenkeel.serve.service;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which families of addresses a service is to have: what it says, what it had before, and what the
 * cluster has. Pure.
 */
final class ServiceFamilies {

  static final String V4 = "IPv4";
  static final String V6 = "IPv6";
  static final String NONE = "None";

  private static final List<String> KNOWN = List.of("IPv4", V6);

  private static final String POLICY = "ipFamilyPolicy";
  private static final String FAMILIES = "ipFamilies";
  private static final String ADDRESSES = "clusterIPs";
  private static final String SINGLE = "SingleStack";
  private static final String PREFER = "PreferDualStack";
  private static final String REQUIRE = "RequireDualStack";
  private static final int ALL = 2;

  private final ServiceRanges ranges;

  ServiceFamilies(ServiceRanges ranges) {
    this.ranges = ranges;
  }

  /**
   * Settles the policy and the families of a spec that is well-formed, or adds why it cannot be.
   *
   * @param old what it was; null for a new service
   */
  void settle(ObjectNode spec, @Nullable JsonNode old, Problems problems) {
    if (isExternalName(spec) || isAsItWas(spec, old)) {
      return;
    }
    policy(spec, old);
    String policy = Meta.text(spec.path(POLICY));
    if (old != null) {
      reduce(spec, old, policy, problems);
    }
    if (policy.equals(SINGLE)) {
      onlyOne(spec, policy, problems);
    }
    ofGivenAddresses(spec, problems);
    if (!problems.isEmpty()) {
      return;
    }
    if (isHeadless(spec) && spec.path("selector").isEmpty()) {
      // Somebody else keeps its endpoints, of which the cluster need not have the families.
      fill(spec, policy.equals(SINGLE) ? 1 : ALL);
      return;
    }
    if (policy.equals(REQUIRE) && ranges.addresses().size() < ALL) {
      problems.invalid(
          "spec." + POLICY, policy, "this cluster is not configured for dual-stack services");
    }
    for (int i = 0; i < spec.path(FAMILIES).size(); i++) {
      String family = Meta.text(spec.path(FAMILIES).path(i));
      String path = "spec." + FAMILIES + "[" + i + "]";
      if (!KNOWN.contains(family)) {
        problems.notSupported(path, family, KNOWN);
      } else if (!ranges.families().contains(family)) {
        problems.invalid(path, family, "not configured on this cluster");
      }
    }
    if (problems.isEmpty()) {
      fill(spec, policy.equals(SINGLE) ? 1 : ranges.addresses().size());
    }
  }

  /** What prefers two families and has what it had gets no second one by the way. */
  private static boolean isAsItWas(JsonNode spec, @Nullable JsonNode old) {
    return old != null
        && Meta.text(spec.path(POLICY)).equals(PREFER)
        && (old.path(POLICY).isMissingNode() || Meta.text(old.path(POLICY)).equals(PREFER))
        && spec.path("type").equals(old.path("type"))
        && sameTexts(spec, old, ADDRESSES)
        && sameTexts(spec, old, FAMILIES);
  }

  private static void policy(ObjectNode spec, @Nullable JsonNode old) {
    if (!Meta.text(spec.path(POLICY)).isEmpty()) {
      return;
    }
    if (old != null && !Meta.text(old.path(POLICY)).isEmpty()) {
      spec.set(POLICY, old.get(POLICY));
    } else {
      spec.put(POLICY, isHeadless(spec) && spec.path("selector").isEmpty() ? REQUIRE : SINGLE);
    }
  }

  private static void reduce(ObjectNode spec, JsonNode old, String policy, Problems problems) {
    if (policy.equals(SINGLE)) {
      for (String field : List.of(ADDRESSES, FAMILIES)) {
        if (spec.path(field).size() > 1 && sameTexts(spec, old, field)) {
          String first = Meta.text(spec.path(field).path(0));
          spec.putArray(field).add(first);
        }
      }
      return;
    }
    if (isReduced(spec, old, ADDRESSES)) {
      problems.invalid(
          "spec." + POLICY, policy, "must be 'SingleStack' to release the secondary cluster IP");
    }
    if (isReduced(spec, old, FAMILIES)) {
      problems.invalid(
          "spec." + POLICY, policy, "must be 'SingleStack' to release the secondary IP family");
    }
  }

  private static boolean isReduced(JsonNode spec, JsonNode old, String field) {
    return !spec.path(field).isEmpty() && spec.path(field).size() < old.path(field).size();
  }

  private static void onlyOne(JsonNode spec, String policy, Problems problems) {
    String allowed = "must be 'RequireDualStack' or 'PreferDualStack' when multiple ";
    if (spec.path(ADDRESSES).size() == ALL) {
      problems.invalid("spec." + POLICY, policy, allowed + "cluster IPs are specified");
    }
    if (spec.path(FAMILIES).size() == ALL) {
      problems.invalid("spec." + POLICY, policy, allowed + "IP families are specified");
    }
  }

  private void ofGivenAddresses(ObjectNode spec, Problems problems) {
    if (isHeadless(spec)) {
      return;
    }
    for (int i = spec.path(FAMILIES).size(); i < spec.path(ADDRESSES).size(); i++) {
      String family = familyOf(Meta.text(spec.path(ADDRESSES).path(i)));
      if (ranges.families().contains(family)) {
        list(spec, FAMILIES).add(family);
      } else {
        problems.invalid(
            "spec." + ADDRESSES + "[" + i + "]",
            spec.path(ADDRESSES),
            family + " is not configured on this cluster");
      }
    }
  }

  private void fill(ObjectNode spec, int wanted) {
    ArrayNode families = list(spec, FAMILIES);
    if (families.isEmpty()) {
      families.add(ranges.family());
    }
    if (families.size() == 1 && wanted == ALL) {
      families.add(Meta.text(families.path(0)).equals(V4) ? V6 : V4);
    }
  }

  static ArrayNode list(ObjectNode spec, String field) {
    return spec.get(field) instanceof ArrayNode list ? list : spec.putArray(field);
  }

  static String familyOf(String address) {
    return Addresses.isV6(address) ? V6 : V4;
  }

  static boolean isExternalName(JsonNode spec) {
    return Meta.text(spec.path("type")).equals("ExternalName");
  }

  static boolean isHeadless(JsonNode spec) {
    return Meta.text(spec.path("clusterIP")).equals(NONE);
  }

  static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>(list.size());
    for (JsonNode item : list) {
      texts.add(Meta.text(item));
    }
    return texts;
  }

  private static boolean sameTexts(JsonNode one, JsonNode other, String field) {
    return texts(one.path(field)).equals(texts(other.path(field)));
  }
}

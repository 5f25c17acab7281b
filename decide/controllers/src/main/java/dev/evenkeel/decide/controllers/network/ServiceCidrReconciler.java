package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says of a range of service addresses that it may be used, and lets one that is deleted go when no
 * service has an address that is only in it.
 */
public final class ServiceCidrReconciler implements Reconciler<ObjectNode> {

  private static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";
  private static final String READY = "Kubernetes Service CIDR is ready";
  private static final String IN_USE =
      "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new"
          + " ServiceCIDR";

  private ServiceCidrReconciler() {}

  public static Controller<ObjectNode> controller() {
    return Controller.of(
            "service-cidr-controller", Kinds.SERVICE_CIDRS, new ServiceCidrReconciler())
        .watching(Kinds.IP_ADDRESSES, (_, view) -> going(view));
  }

  /** An address matters to ranges that wait for their addresses to go. */
  private static Collection<Key> going(View view) {
    return view.list(Kinds.SERVICE_CIDRS, "").stream()
        .filter(range -> !range.text("metadata", "deletionTimestamp").isEmpty())
        .map(range -> new Key("", range.name()))
        .toList();
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    Plan plan = Plan.empty();
    ObjectNode range = object.tree();
    boolean on = hasFinalizer(range);
    if (!Pods.isEnding(range)) {
      if (!on) {
        finalizers(object, range, true, "its addresses are to outlive no range", plan);
      } else {
        say(object, "True", "", READY, view, plan);
      }
      return plan;
    }
    if (!on) {
      return plan;
    }
    if (isUsed(object, view)) {
      say(object, "False", "Terminating", IN_USE, view, plan);
    } else {
      finalizers(object, range, false, "no service has an address of it", plan);
    }
    return plan;
  }

  private static boolean hasFinalizer(ObjectNode range) {
    for (JsonNode finalizer : range.path("metadata").path("finalizers")) {
      if (Meta.text(finalizer).equals(FINALIZER)) {
        return true;
      }
    }
    return false;
  }

  private static void finalizers(
      Cached<ObjectNode> seen, ObjectNode range, boolean on, String because, Plan plan) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (JsonNode other : range.path("metadata").path("finalizers")) {
      if (!Meta.text(other).equals(FINALIZER)) {
        all.add(other);
      }
    }
    if (on) {
      all.add(FINALIZER);
    }
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    Meta.of(change).set("finalizers", all);
    plan.patch(seen, change, because);
  }

  private static void say(
      Cached<ObjectNode> seen, String holds, String reason, String message, View view, Plan plan) {
    JsonNode said = JsonNodeFactory.instance.missingNode();
    for (JsonNode condition : seen.tree().path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals("Ready")) {
        said = condition;
      }
    }
    if (Meta.text(said.path("status")).equals(holds)
        && Meta.text(said.path("message")).equals(message)) {
      return;
    }
    boolean turned = !Meta.text(said.path("status")).equals(holds);
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", holds)
        .put("reason", reason)
        .put("message", message)
        .put(
            "lastTransitionTime",
            turned ? WireTime.seconds(view.now()) : Meta.text(said.path("lastTransitionTime")));
    plan.status(seen, status, message);
  }

  private static boolean isUsed(Cached<ObjectNode> range, View view) {
    List<Cached<ObjectNode>> ranges = view.list(Kinds.SERVICE_CIDRS, "");
    for (Cached<ObjectNode> address : view.list(Kinds.IP_ADDRESSES, "")) {
      if (contains(range, address.name())
          && ranges.stream()
              .noneMatch(
                  other ->
                      !other.name().equals(range.name())
                          && !Pods.isEnding(other.tree())
                          && contains(other, address.name()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(Cached<ObjectNode> range, String address) {
    byte[] wanted = bytes(address);
    for (JsonNode text : range.tree().path("spec").path("cidrs")) {
      String cidr = Meta.text(text);
      int slash = cidr.indexOf('/');
      byte[] network = slash < 0 ? null : bytes(cidr.substring(0, slash));
      if (wanted != null
          && network != null
          && network.length == wanted.length
          && samePrefix(network, wanted, Integer.parseInt(cidr.substring(slash + 1)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean samePrefix(byte[] one, byte[] other, int bits) {
    for (int i = 0; i < bits; i++) {
      int mask = 0x80 >> (i % Byte.SIZE);
      if ((one[i / Byte.SIZE] & mask) != (other[i / Byte.SIZE] & mask)) {
        return false;
      }
    }
    return true;
  }

  private static byte @Nullable [] bytes(String address) {
    try {
      return InetAddress.ofLiteral(address).getAddress();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}

package dev.evenkeel.serve.kinds.rules.container;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Resources;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** What containers and pods ask for, and what they may not exceed. */
public final class ResourceValidation {

  private static final List<String> OF_PODS = List.of("cpu", "hugepages-", "memory");

  private ResourceValidation() {}

  /** What running the pod costs beyond its containers. */
  public static void overhead(Place overhead) {
    for (Place entry : overhead.entries()) {
      Resources.containerName(entry);
      Resources.amount(entry);
    }
  }

  static void ofContainer(Place resources, Set<String> claims) {
    requirements(resources, Resources::containerName);
    claims(resources.at("claims"), claims);
  }

  /** Resources of the pod as a whole. */
  public static void ofPod(Place spec) {
    Place resources = spec.at("resources");
    if (!resources.isThere()) {
      return;
    }
    if (resources.at("claims").isThere()) {
      resources.at("claims").forbidden("claims may not be set for Resources at pod-level");
    }
    requirements(resources, ResourceValidation::podName);
    for (Place limit : resources.at("limits").entries()) {
      Quantity ofPod = Quantity.tryRead(limit.node());
      for (Place container : spec.at("containers").items()) {
        Place ofContainer = container.at("resources", "limits").key(limit.entryKey());
        Quantity amount = Quantity.tryRead(ofContainer.node());
        if (ofPod != null && amount != null && amount.compareTo(ofPod) > 0) {
          ofContainer.invalid(
              amount.toString(), "must be less than or equal to pod limits of " + ofPod);
        }
      }
    }
  }

  private static void podName(Place entry) {
    if (!Resources.anyName(entry)) {
      return;
    }
    String name = entry.entryKey();
    if (OF_PODS.stream()
        .noneMatch(known -> known.endsWith("-") ? name.startsWith(known) : name.equals(known))) {
      entry.problems().notSupported(entry.toString(), name, OF_PODS);
    }
  }

  private static void requirements(Place resources, Consumer<Place> nameCheck) {
    if (!resources.isThere()) {
      return;
    }
    boolean hugePages = false;
    boolean computing = false;
    for (String list : List.of("limits", "requests")) {
      for (Place entry : resources.at(list).entries()) {
        String name = entry.entryKey();
        nameCheck.accept(entry);
        Resources.amount(entry);
        if (Resources.isHugePages(name)) {
          hugePages = true;
          wholePages(entry, name);
        }
        computing |= name.equals("cpu") || name.equals("memory");
        if (list.equals("requests")) {
          withinLimit(resources, entry);
        }
      }
    }
    if (hugePages && !computing) {
      resources.forbidden("HugePages require cpu or memory");
    }
  }

  private static void withinLimit(Place resources, Place request) {
    String name = request.entryKey();
    Quantity amount = Quantity.tryRead(request.node());
    Place limitEntry = resources.at("limits").key(name);
    Quantity limit = Quantity.tryRead(limitEntry.node());
    if (amount == null) {
      return;
    }
    if (limit == null) {
      if (!limitEntry.isThere() && !Resources.mayOvercommit(name)) {
        resources.at("limits").required("Limit must be set for non overcommitable resources");
      }
      return;
    }
    Place requests = resources.at("requests");
    if (!Resources.mayOvercommit(name)) {
      if (amount.compareTo(limit) != 0) {
        requests.invalid(amount.toString(), "must be equal to " + name + " limit of " + limit);
      }
    } else if (amount.compareTo(limit) > 0) {
      requests.invalid(
          amount.toString(), "must be less than or equal to " + name + " limit of " + limit);
    }
  }

  private static void wholePages(Place entry, String name) {
    Quantity page = Quantity.tryParse(name.substring(name.indexOf('-') + 1));
    Quantity amount = Quantity.tryRead(entry.node());
    if (amount == null) {
      return;
    }
    boolean whole =
        page != null
            && page.signum() > 0
            && page.isWhole()
            && amount.value().remainder(page.value()).compareTo(BigDecimal.ZERO) == 0;
    if (!whole) {
      entry.invalid(amount.toString(), amount + " is not positive integer multiple of " + name);
    }
  }

  private static void claims(Place claims, Set<String> known) {
    Set<String> seen = new TreeSet<>();
    for (Place claim : claims.items()) {
      String name = claim.at("name").text();
      String request = claim.at("request").text();
      if (!seen.add(request.isEmpty() ? name : name + "/" + request)) {
        claim.holding(claim.at("name").node()).duplicate();
      }
      if (!known.contains(name)) {
        claim.holding(claim.at("name").node()).notFound();
      }
    }
  }
}

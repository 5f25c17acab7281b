package dev.evenkeel.serve.kinds.rules.check;

import dev.evenkeel.kernel.quantity.Quantity;
import java.util.List;
import java.util.Set;

/** The names of resources, and amounts of them. */
public final class Resources {

  private static final String HUGE_PAGES = "hugepages-";
  private static final String REQUESTS = "requests.";
  private static final String NATIVE_DOMAIN = "kubernetes.io/";

  private static final Set<String> CONTAINER = Set.of("cpu", "memory", "ephemeral-storage");

  /** What is counted in pieces. */
  private static final Set<String> COUNTED =
      Set.of(
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");

  private static final Set<String> AMOUNTS =
      Set.of(
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "requests.storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage");

  private Resources() {}

  public static boolean isHugePages(String name) {
    return name.startsWith(HUGE_PAGES);
  }

  /** Kubernetes' own, as opposed to those of devices. */
  public static boolean isNative(String name) {
    return name.indexOf('/') < 0 || name.contains(NATIVE_DOMAIN);
  }

  /** Whether more may be promised than there is. */
  public static boolean mayOvercommit(String name) {
    return isNative(name) && !isHugePages(name);
  }

  private static boolean isExtended(String name) {
    return !isNative(name)
        && !name.startsWith(REQUESTS)
        && Names.qualifiedName(REQUESTS + name).isEmpty();
  }

  /** A resource of any kind. Tells of the entry; false if its name is no name at all. */
  public static boolean anyName(Place entry) {
    String name = entry.entryKey();
    List<String> faults = Names.qualifiedName(name);
    for (String fault : faults) {
      entry.invalid(name, fault);
    }
    if (faults.isEmpty() && name.indexOf('/') < 0 && !isStandard(name)) {
      entry.invalid(name, "must be a standard resource type or fully qualified");
    }
    return faults.isEmpty();
  }

  private static boolean isStandard(String name) {
    return COUNTED.contains(name)
        || AMOUNTS.contains(name)
        || name.equals("storage")
        || isHugePages(name)
        || name.startsWith(REQUESTS + HUGE_PAGES);
  }

  /** A resource that a container may ask for. */
  public static void containerName(Place entry) {
    if (!anyName(entry)) {
      return;
    }
    String name = entry.entryKey();
    if (name.indexOf('/') < 0) {
      if (!CONTAINER.contains(name) && !isHugePages(name)) {
        entry.invalid(name, "must be a standard resource for containers");
      }
    } else if (!isNative(name) && !isExtended(name)) {
      entry.invalid(name, "doesn't follow extended resource name standard");
    }
  }

  /** A resource that a quota may limit. */
  public static void quotaName(Place entry) {
    if (anyName(entry) && !isQuotaName(entry.entryKey())) {
      entry.invalid(entry.entryKey(), "must be a standard resource for quota");
    }
  }

  public static boolean isQuotaName(String name) {
    return name.indexOf('/') >= 0 || (isStandard(name) && !name.equals("storage"));
  }

  /** Not negative, and whole where the resource is counted. */
  public static void amount(Place entry) {
    Quantity quantity = Quantity.tryRead(entry.node());
    if (quantity == null) {
      return;
    }
    if (quantity.signum() < 0) {
      entry.invalid(quantity.toString(), "must be greater than or equal to 0");
    }
    String name = entry.entryKey();
    if ((COUNTED.contains(name) || isExtended(name)) && !quantity.isWhole()) {
      entry.invalid("must be an integer");
    }
  }
}

package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The cluster addresses of a service and their families, which must fit together. */
public final class ServiceAddresses {

  private static final String NONE = "None";
  private static final int ADDRESSES_MAX = 2;

  private ServiceAddresses() {}

  static boolean isHeadless(Place spec) {
    return spec.at("clusterIPs").size() == 1 && spec.at("clusterIPs").item(0).is(NONE);
  }

  public static void validate(Place spec, String type) {
    if (type.equals("ExternalName")) {
      return;
    }
    Place addresses = spec.at("clusterIPs");
    firstIsTheSame(spec.at("clusterIP"), addresses);
    families(spec.at("ipFamilies"));
    boolean wellFormed = true;
    for (Place address : addresses.items()) {
      if (address.is(NONE) && address.toString().endsWith("[0]")) {
        if (addresses.size() > 1) {
          addresses.invalid("'None' must be the first and only value");
          wellFormed = false;
        }
      } else {
        Addresses.ip(address);
        wellFormed &= Addresses.isIp(address.text());
      }
    }
    if (addresses.size() > ADDRESSES_MAX) {
      addresses.invalid("may only hold up to " + ADDRESSES_MAX + " values");
    }
    if (wellFormed) {
      stacks(spec, addresses);
    }
  }

  private static void firstIsTheSame(Place single, Place addresses) {
    if (single.isEmpty()) {
      if (!addresses.isEmpty()) {
        addresses.invalid("must be empty when `clusterIP` is not specified");
      }
    } else if (addresses.isEmpty()) {
      addresses.required();
    } else if (!addresses.item(0).is(single.text())) {
      addresses.invalid("first value must match `clusterIP`");
    }
  }

  private static void families(Place families) {
    Set<String> seen = new HashSet<>();
    for (Place family : families.items()) {
      if (!seen.add(family.text())) {
        family.duplicate();
      }
    }
  }

  private static void stacks(Place spec, Place addresses) {
    if (addresses.size() > 1 && !Addresses.isDualStack(addresses.strings())) {
      addresses.invalid("may specify no more than one IP for each IP family");
    }
    if (isHeadless(spec)) {
      return;
    }
    List<String> families = spec.at("ipFamilies").strings();
    for (int i = 0; i < Math.min(families.size(), addresses.size()); i++) {
      Place address = addresses.item(i);
      boolean v6 = Addresses.isV6(address.text());
      if (v6 != families.get(i).equals("IPv6")) {
        address.invalid(
            "expected an " + families.get(i) + " value as indicated by `ipFamilies[" + i + "]`");
      }
    }
  }
}

package dev.evenkeel.serve.service;

import java.util.ArrayList;
import java.util.List;

/**
 * What there is to give to services.
 *
 * @param addresses at most one range of each family; the first is that of services which do not say
 * @param portFirst the first of the ports that nodes keep for services
 * @param portLast the last of them
 */
public record ServiceRanges(List<AddressRange> addresses, int portFirst, int portLast) {

  private static final int PORT_FIRST = 30_000;
  private static final int PORT_LAST = 32_767;

  public static final ServiceRanges DEFAULTS = parse("10.96.0.0/12");

  public ServiceRanges {
    addresses = List.copyOf(addresses);
  }

  /**
   * Reads one range, or one of each family with a comma between them.
   *
   * @throws IllegalArgumentException which says what is wrong with it
   */
  public static ServiceRanges parse(String text) {
    List<AddressRange> ranges = new ArrayList<>(2);
    for (String part : text.split(",", -1)) {
      AddressRange range = AddressRange.parse(part.strip());
      if (range == null) {
        throw new IllegalArgumentException(
            "'"
                + part.strip()
                + "' is no range of addresses with room for one, such as 10.96.0.0/12");
      }
      ranges.add(range);
    }
    if (ranges.size() > 2
        || (ranges.size() == 2 && ranges.getFirst().bytes() == ranges.getLast().bytes())) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' has more than one range of a family; give one of IPv4, one of IPv6, or both");
    }
    return new ServiceRanges(ranges, PORT_FIRST, PORT_LAST);
  }

  /** Of services that do not say which they want. */
  public String family() {
    return addresses.getFirst().family();
  }

  public List<String> families() {
    return addresses.stream().map(AddressRange::family).toList();
  }

  boolean isPort(long port) {
    return port >= portFirst && port <= portLast;
  }

  String ports() {
    return portFirst + "-" + portLast;
  }
}

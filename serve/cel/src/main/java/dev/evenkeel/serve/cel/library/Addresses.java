package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.string;

import dev.evenkeel.serve.cel.notation.Cidr;
import dev.evenkeel.serve.cel.notation.Ip;
import dev.evenkeel.serve.cel.value.EvaluationError;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Functions of addresses and networks. */
final class Addresses {

  private Addresses() {}

  static void addTo(Library library) {
    library
        .declare("string_to_ip", "ip(string) -> net.IP")
        .declare("cidr_ip", "net.CIDR::ip() -> net.IP")
        .define(
            "ip", (a, meter) -> a[0] instanceof Cidr cidr ? cidr.address() : Ip.of(string(a[0])))
        .declare("is_ip", "isIP(string) -> bool")
        .define("isIP", (a, meter) -> succeeds(Ip::of, string(a[0])))
        .declare("ip_is_canonical", "ip.isCanonical(string) -> bool")
        .define("ip.isCanonical", (a, meter) -> Ip.of(string(a[0])).toString().equals(a[0]))
        .declare("ip_family", "net.IP::family() -> int")
        .define("family", (a, meter) -> ip(a[0]).isFour() ? 4L : 6L)
        .declare("ip_to_string", "string(net.IP) -> string")
        .declare("string_to_cidr", "cidr(string) -> net.CIDR")
        .define("cidr", (a, meter) -> Cidr.of(string(a[0])))
        .declare("is_cidr", "isCIDR(string) -> bool")
        .define("isCIDR", (a, meter) -> succeeds(Cidr::of, string(a[0])))
        .declare("cidr_contains_ip_string", "net.CIDR::containsIP(string) -> bool")
        .declare("cidr_contains_ip_ip", "net.CIDR::containsIP(net.IP) -> bool")
        .define(
            "containsIP",
            (a, meter) -> cidr(a[0]).contains(a[1] instanceof String text ? Ip.of(text) : ip(a[1])))
        .declare("cidr_contains_cidr_string", "net.CIDR::containsCIDR(string) -> bool")
        .declare("cidr_contains_cidr", "net.CIDR::containsCIDR(net.CIDR) -> bool")
        .define(
            "containsCIDR",
            (a, meter) ->
                cidr(a[0]).contains(a[1] instanceof String text ? Cidr.of(text) : cidr(a[1])))
        .declare("cidr_prefix_length", "net.CIDR::prefixLength() -> int")
        .define("prefixLength", (a, meter) -> (long) cidr(a[0]).prefix())
        .declare("cidr_masked", "net.CIDR::masked() -> net.CIDR")
        .define("masked", (a, meter) -> cidr(a[0]).masked())
        .declare("cidr_to_string", "string(net.CIDR) -> string");
    test(library, "ip_is_unspecified", "isUnspecified", Ip::isUnspecified);
    test(library, "ip_is_loopback", "isLoopback", Ip::isLoopback);
    test(library, "ip_is_link_local_multicast", "isLinkLocalMulticast", Ip::isLinkLocalMulticast);
    test(library, "ip_is_link_local_unicast", "isLinkLocalUnicast", Ip::isLinkLocalUnicast);
    test(library, "ip_is_global_unicast", "isGlobalUnicast", Ip::isGlobalUnicast);
  }

  private static void test(Library library, String id, String name, Predicate<Ip> test) {
    library
        .declare(id, "net.IP::" + name + "() -> bool")
        .define(name, (a, meter) -> test.test(ip(a[0])));
  }

  private static Ip ip(Object value) {
    return Library.of(Ip.class, value);
  }

  private static Cidr cidr(Object value) {
    return Library.of(Cidr.class, value);
  }

  static boolean succeeds(Consumer<String> parse, String text) {
    try {
      parse.accept(text);
      return true;
    } catch (EvaluationError e) {
      return false;
    }
  }
}

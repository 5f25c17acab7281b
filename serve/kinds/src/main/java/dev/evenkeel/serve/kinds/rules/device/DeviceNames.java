package dev.evenkeel.serve.kinds.rules.device;

import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The forms of names that the kinds about devices share, and lists without equals. */
final class DeviceNames {

  private static final int DRIVER_CHARS_MAX = 63;
  private static final int IDENTIFIER_CHARS_MAX = 32;
  private static final int POOL_CHARS_MAX = 253;

  private static final String IDENTIFIER =
      "a valid C identifier must start with alphabetic character or '_', followed by a string of"
          + " alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex"
          + " used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

  private DeviceNames() {}

  static void driver(Place driver) {
    driver(driver, driver.text());
  }

  private static void driver(Place place, String name) {
    if (name.isEmpty()) {
      place.required();
      return;
    }
    if (name.length() > DRIVER_CHARS_MAX) {
      place.tooLong(DRIVER_CHARS_MAX);
    }
    for (String fault : Names.dnsSubdomain(name.toLowerCase(Locale.ROOT))) {
      place.invalid(name, fault);
    }
  }

  static void label(Place name) {
    name.invalid(Names.dnsLabel(name.text()));
  }

  static void pool(Place pool) {
    if (pool.isEmpty()) {
      pool.required();
      return;
    }
    if (pool.text().length() > POOL_CHARS_MAX) {
      pool.tooLong(POOL_CHARS_MAX);
    }
    for (String part : pool.text().split("/", -1)) {
      for (String fault : Names.dnsSubdomain(part)) {
        pool.invalid(part, fault);
      }
    }
  }

  static void deviceClass(Place name) {
    if (name.isEmpty()) {
      name.required();
    } else {
      name.invalid(Names.dnsSubdomain(name.text()));
    }
  }

  /** A name of an attribute, before which a domain and a slash may stand. */
  static void qualified(Place place, String name) {
    if (name.isEmpty()) {
      place.required("name required");
      return;
    }
    String[] parts = name.split("/", -1);
    if (parts.length == 1) {
      identifier(place, parts[0]);
    } else if (parts.length == 2) {
      if (parts[0].isEmpty()) {
        place.required("the domain must not be empty");
      } else {
        driver(place, parts[0]);
      }
      if (parts[1].isEmpty()) {
        place.required("the name must not be empty");
      } else {
        identifier(place, parts[1]);
      }
    }
  }

  static void fullyQualified(Place place) {
    qualified(place, place.text());
    if (!place.isEmpty() && place.text().indexOf('/') < 0) {
      place.invalid("must include a domain");
    }
  }

  private static void identifier(Place place, String text) {
    if (text.length() > IDENTIFIER_CHARS_MAX) {
      place.tooLong(IDENTIFIER_CHARS_MAX);
    }
    boolean formed = !text.isEmpty() && !Character.isDigit(text.charAt(0));
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      formed &=
          c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
    if (!formed) {
      place.invalid(text, IDENTIFIER);
    }
  }

  /** Checks each item, their number, and that no two are called the same. */
  static void set(Place list, int max, Consumer<Place> each, Function<Place, Place> key) {
    List<Place> items = list.items();
    items.forEach(each);
    if (items.size() > max) {
      list.tooMany(max);
    }
    Set<String> seen = new HashSet<>();
    for (Place item : items) {
      if (!seen.add(key.apply(item).text())) {
        key.apply(item).duplicate();
      }
    }
  }

  /** Checks each item and their number. */
  static void list(Place list, int max, Consumer<Place> each) {
    list.items().forEach(each);
    if (list.size() > max) {
      list.tooMany(max);
    }
  }
}

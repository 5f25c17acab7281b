package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.quantity.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Holds what something asks for against one item of a limit range.
 *
 * @param item with its type, {@code min}, {@code max} and {@code maxLimitRequestRatio}
 * @param faults takes what is wrong, in upstream's words
 */
record RangeCheck(JsonNode item, Amounts requests, Amounts limits, Set<String> faults) {

  void run() {
    Amounts.of(item.path("min")).byName().forEach(this::min);
    Amounts.of(item.path("max")).byName().forEach(this::max);
    Amounts.of(item.path("maxLimitRequestRatio")).byName().forEach(this::ratio);
  }

  /** For what has no limits: only what is asked for counts. */
  void runOnRequests() {
    Amounts.of(item.path("min")).byName().forEach(this::min);
    Amounts.of(item.path("max"))
        .byName()
        .forEach(
            (name, most) -> {
              Quantity request = requests.get(name);
              String bound = bound("maximum", name, most);
              if (request == null) {
                faults.add(bound + ".  No request is specified");
              } else if (request.compareTo(most) > 0) {
                faults.add(bound + ", but request is " + request);
              }
            });
  }

  private String bound(String which, String name, Quantity amount) {
    return which + " " + name + " usage per " + Meta.text(item.path("type")) + " is " + amount;
  }

  private void min(String name, Quantity least) {
    Quantity request = requests.get(name);
    Quantity limit = limits.get(name);
    String bound = bound("minimum", name, least);
    if (request == null) {
      faults.add(bound + ".  No request is specified");
    } else if (request.compareTo(least) < 0) {
      faults.add(bound + ", but request is " + request);
    } else if (limit != null && limit.compareTo(least) < 0) {
      faults.add(bound + ", but limit is " + limit);
    }
  }

  private void max(String name, Quantity most) {
    Quantity request = requests.get(name);
    Quantity limit = limits.get(name);
    String bound = bound("maximum", name, most);
    if (limit == null) {
      faults.add(bound + ".  No limit is specified");
    } else if (limit.compareTo(most) > 0) {
      faults.add(bound + ", but limit is " + limit);
    } else if (request != null && request.compareTo(most) > 0) {
      faults.add(bound + ", but request is " + request);
    }
  }

  private void ratio(String name, Quantity most) {
    Quantity request = requests.get(name);
    Quantity limit = limits.get(name);
    String bound =
        name
            + " max limit to request ratio per "
            + Meta.text(item.path("type"))
            + " is "
            + most
            + ", but ";
    if (request == null || request.isZero()) {
      faults.add(bound + "no request is specified or request is 0");
    } else if (limit == null || limit.isZero()) {
      faults.add(bound + "no limit is specified or limit is 0");
    } else {
      BigDecimal ratio = limit.value().divide(request.value(), MathContext.DECIMAL64);
      if (ratio.compareTo(most.value()) > 0) {
        faults.add(bound + "provided ratio is " + String.format(Locale.ROOT, "%f", ratio));
      }
    }
  }
}

package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Resources;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Limits for what pods, containers and claims of a namespace may ask for. */
public final class LimitRangeRules implements KindRules {

  private static final List<String> LISTS =
      List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

  @Override
  public void applyDefaults(ObjectNode range) {
    for (JsonNode limit : Meta.at(range, "spec", "limits")) {
      if (limit instanceof ObjectNode object
          && Meta.text(object.path("type")).equals("Container")) {
        fill(object, "default", "max");
        fill(object, "defaultRequest", "default");
        fill(object, "defaultRequest", "min");
      }
    }
  }

  /** What one list lacks is taken from another. */
  private static void fill(ObjectNode limit, String list, String from) {
    if (limit.path(from).isEmpty()) {
      return;
    }
    ObjectNode into = limit.path(list) instanceof ObjectNode there ? there : limit.putObject(list);
    limit
        .path(from)
        .forEachEntry(
            (resource, amount) -> {
              if (!into.has(resource)) {
                into.set(resource, amount);
              }
            });
  }

  @Override
  public void validate(ObjectNode range, Problems problems) {
    Set<String> types = new HashSet<>();
    for (Place limit : Place.of(range, problems).at("spec", "limits").items()) {
      Place type = limit.at("type");
      type.invalid(Names.qualifiedName(type.text()));
      boolean known = List.of("Pod", "Container", "PersistentVolumeClaim").contains(type.text());
      if (!known && type.text().indexOf('/') < 0) {
        type.invalid("must be a standard limit type or fully qualified");
      }
      if (!types.add(type.text())) {
        type.duplicate();
      }
      Set<String> resources = new TreeSet<>();
      names(limit, type.text(), resources);
      if (type.is("PersistentVolumeClaim")
          && !limit.at("min").key("storage").isThere()
          && !limit.at("max").key("storage").isThere()) {
        limit
            .at("limits")
            .required(
                "either minimum or maximum storage value is required, but neither was provided");
      }
      for (String resource : resources) {
        new Bounds(limit, resource).validate();
      }
    }
  }

  private static void names(Place limit, String type, Set<String> resources) {
    for (String list : LISTS) {
      if (type.equals("Pod") && list.startsWith("default")) {
        if (!limit.at(list).isEmpty()) {
          limit.at(list).forbidden("may not be specified when `type` is 'Pod'");
        }
        continue;
      }
      for (Place entry : limit.at(list).entries()) {
        if (type.equals("Pod") || type.equals("Container")) {
          Resources.containerName(entry);
        } else {
          var _ = Resources.anyName(entry);
        }
        resources.add(entry.entryKey());
      }
    }
  }

  /** The bounds of one resource, which must follow each other. */
  private static final class Bounds {

    private final Place limit;
    private final String resource;

    Bounds(Place limit, String resource) {
      this.limit = limit;
      this.resource = resource;
    }

    void validate() {
      Quantity min = amount("min");
      Quantity max = amount("max");
      Quantity standard = amount("default");
      Quantity request = amount("defaultRequest");
      ordered(min, max, "min", min, "min value %s is greater than max value %s");
      ordered(
          min,
          request,
          "defaultRequest",
          request,
          "min value %s is greater than default request value %s");
      ordered(
          request,
          max,
          "defaultRequest",
          request,
          "default request value %s is greater than max value %s");
      ordered(
          request,
          standard,
          "defaultRequest",
          request,
          "default request value %s is greater than default limit value %s");
      ordered(min, standard, "default", min, "min value %s is greater than default value %s");
      ordered(standard, max, "default", max, "default value %s is greater than max value %s");
      ratio(min, max);
      if (!Resources.mayOvercommit(resource)
          && standard != null
          && request != null
          && !standard.equals(request)) {
        told("defaultRequest")
            .invalid(
                request.toString(),
                "default value "
                    + standard
                    + " must equal to defaultRequest value "
                    + request
                    + " in "
                    + resource);
      }
    }

    private @Nullable Quantity amount(String list) {
      return Quantity.tryRead(limit.at(list).node().path(resource));
    }

    private Place told(String list) {
      return limit.at(list).key(resource);
    }

    private void ordered(
        @Nullable Quantity small,
        @Nullable Quantity large,
        String list,
        @Nullable Quantity shown,
        String message) {
      if (small != null && large != null && small.compareTo(large) > 0) {
        told(list)
            .invalid(String.valueOf(shown), String.format(Locale.ROOT, message, small, large));
      }
    }

    private void ratio(@Nullable Quantity min, @Nullable Quantity max) {
      Quantity ratio = amount("maxLimitRequestRatio");
      if (ratio == null) {
        return;
      }
      Place told = told("maxLimitRequestRatio");
      if (ratio.compareTo(Quantity.of(1)) < 0) {
        told.invalid(ratio.toString(), "ratio " + ratio + " is less than 1");
      }
      if (min != null && max != null && min.signum() > 0) {
        BigDecimal bound = max.value().divide(min.value(), MathContext.DECIMAL64);
        if (ratio.value().compareTo(bound) > 0) {
          told.invalid(
              ratio.toString(),
              String.format(Locale.ROOT, "ratio %s is greater than max/min = %f", ratio, bound));
        }
      }
    }
  }
}

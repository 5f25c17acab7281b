package dev.evenkeel.serve.kinds.rules.device;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Claims on devices: what is asked for stays as it is, what was given is in the status. */
public final class ResourceClaimRules implements KindRules {

  private static final int RESERVED_MAX = 256;
  private static final int RESULTS_MAX = 32;
  private static final int CONDITIONS_MAX = 8;
  private static final int INTERFACE_CHARS_MAX = 256;
  private static final int HARDWARE_CHARS_MAX = 128;
  private static final int ADDRESSES_MAX = 16;

  @Override
  public void applyDefaults(ObjectNode claim) {
    DeviceClaims.applyDefaults(claim.path("spec"));
  }

  @Override
  public void prepareForCreate(ObjectNode claim) {
    DeviceClaims.dropDisabled(claim.path("spec"));
    claim.putObject("status");
  }

  @Override
  public void prepareForUpdate(ObjectNode claim, ObjectNode old) {
    DeviceClaims.dropDisabled(claim.path("spec"));
  }

  @Override
  public void validate(ObjectNode claim, Problems problems) {
    DeviceClaims.validate(Place.of(claim, problems).at("spec"));
  }

  @Override
  public void validateUpdate(ObjectNode claim, ObjectNode old, Problems problems) {
    Place.of(claim, problems).at("spec").immutable(old.path("spec"));
  }

  @Override
  public void validateStatusUpdate(ObjectNode claim, ObjectNode old, Problems problems) {
    Place status = Place.of(claim, problems).at("status");
    Place reserved = status.at("reservedFor");
    DeviceNames.set(
        reserved,
        RESERVED_MAX,
        consumer -> {
          for (String field : List.of("resource", "name", "uid")) {
            if (consumer.at(field).isEmpty()) {
              consumer.at(field).required();
            }
          }
        },
        consumer -> consumer.at("uid"));
    Place allocation = status.at("allocation");
    Set<String> given = given(allocation.node());
    status.at("devices").items().forEach(device -> device(device, given));
    reserved(reserved, allocation, claim, old);
    JsonNode before = old.path("status").path("allocation");
    if (before.isObject() && allocation.isThere()) {
      allocation.immutable(before);
    } else if (allocation.isThere()) {
      allocation(allocation, DeviceClaims.names(Meta.at(claim, "spec", "devices")));
    }
  }

  private static void reserved(Place reserved, Place allocation, ObjectNode claim, ObjectNode old) {
    if (reserved.isEmpty()) {
      return;
    }
    if (!allocation.isThere()) {
      reserved.forbidden("may not be specified when `allocated` is not set");
    } else if (claim.path("metadata").has("deletionTimestamp")) {
      Set<JsonNode> before = new HashSet<>();
      old.path("status").path("reservedFor").forEach(before::add);
      for (Place consumer : reserved.items()) {
        if (!before.contains(consumer.node())) {
          reserved.forbidden(
              "new entries may not be added while `deallocationRequested` or `deletionTimestamp`"
                  + " are set");
          return;
        }
      }
    }
  }

  private static void allocation(Place allocation, Map<String, Set<String>> names) {
    Place devices = allocation.at("devices");
    DeviceNames.list(
        devices.at("results"),
        RESULTS_MAX,
        result -> {
          DeviceClaims.reference(result.at("request"), names);
          DeviceNames.driver(result.at("driver"));
          DeviceNames.pool(result.at("pool"));
          DeviceNames.label(result.at("device"));
        });
    DeviceNames.list(
        devices.at("config"),
        2 * DeviceClaims.CONFIGS_MAX,
        config -> {
          Place source = config.at("source");
          if (source.isEmpty()) {
            source.required();
          } else {
            source.oneOf(List.of("FromClaim", "FromClass"));
          }
          DeviceClaims.references(config.at("requests"), names);
          DeviceClaims.configuration(config);
        });
  }

  private static Set<String> given(JsonNode allocation) {
    Set<String> given = new HashSet<>();
    for (JsonNode result : allocation.path("devices").path("results")) {
      given.add(id(result));
    }
    return given;
  }

  private static String id(JsonNode device) {
    return Meta.text(device.path("driver"))
        + "/"
        + Meta.text(device.path("pool"))
        + "/"
        + Meta.text(device.path("device"));
  }

  private static void device(Place device, Set<String> given) {
    DeviceNames.driver(device.at("driver"));
    DeviceNames.pool(device.at("pool"));
    DeviceNames.label(device.at("device"));
    if (!given.contains(id(device.node()))) {
      device.invalid(id(device.node()), "must be an allocated device in the claim");
    }
    if (device.at("conditions").size() > CONDITIONS_MAX) {
      device.at("conditions").tooMany(CONDITIONS_MAX);
    }
    Place network = device.at("networkData");
    if (network.at("interfaceName").text().length() > INTERFACE_CHARS_MAX) {
      network.at("interfaceName").tooLong(INTERFACE_CHARS_MAX);
    }
    if (network.at("hardwareAddress").text().length() > HARDWARE_CHARS_MAX) {
      network.at("hardwareAddress").tooLong(HARDWARE_CHARS_MAX);
    }
    if (network.at("ips").size() > ADDRESSES_MAX) {
      network.at("ips").tooMany(ADDRESSES_MAX);
    }
  }

  /** Whether a name is one that a node can have. */
  static void node(Place name) {
    name.invalid(Names.dnsSubdomain(name.text()));
  }
}

package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An EndpointSlice as it should become: one that is there, or a new one. */
final class SliceDraft {

  private final @Nullable Cached<ObjectNode> seen;
  private final ObjectNode before;
  private final String family;
  private List<ObjectNode> ports;
  private List<ObjectNode> endpoints;

  private SliceDraft(
      @Nullable Cached<ObjectNode> seen,
      ObjectNode before,
      String family,
      List<ObjectNode> ports,
      List<ObjectNode> endpoints) {
    this.seen = seen;
    this.before = before;
    this.family = family;
    this.ports = ports;
    this.endpoints = endpoints;
  }

  static SliceDraft of(Cached<ObjectNode> seen) {
    ObjectNode before = seen.tree();
    return new SliceDraft(
        seen,
        before,
        Meta.text(before.path("addressType")),
        objects(before.path("ports")),
        objects(before.path("endpoints")));
  }

  static SliceDraft empty(Family family, List<ObjectNode> ports) {
    return new SliceDraft(
        null, JsonNodeFactory.instance.objectNode(), family.word(), ports, new ArrayList<>());
  }

  private static List<ObjectNode> objects(JsonNode list) {
    List<ObjectNode> objects = new ArrayList<>();
    for (JsonNode item : list) {
      if (item instanceof ObjectNode object) {
        objects.add(object);
      }
    }
    return objects;
  }

  /**
   * The same for ports that say the same, in whatever order and with or without what is implied.
   */
  static String key(List<ObjectNode> ports) {
    TreeSet<String> keys = new TreeSet<>();
    for (ObjectNode port : ports) {
      keys.add(
          String.join(
              "|",
              Meta.text(port.path("name")),
              ServicePorts.protocol(port),
              Integer.toString(port.path("port").asInt(0)),
              Meta.text(port.path("appProtocol"))));
    }
    return String.join(",", keys);
  }

  /** Null if it is to be made. */
  @Nullable Cached<ObjectNode> seen() {
    return seen;
  }

  ObjectNode before() {
    return before;
  }

  /** Empty for one that somebody else made in an odd way. */
  String family() {
    return family;
  }

  List<ObjectNode> ports() {
    return ports;
  }

  List<ObjectNode> endpoints() {
    return endpoints;
  }

  void endpoints(List<ObjectNode> wanted) {
    endpoints = wanted;
  }

  /** Has it become another one, instead of being deleted while that is made. */
  void become(SliceDraft other) {
    if (!key(ports).equals(key(other.ports))) {
      ports = other.ports;
    }
    endpoints = other.endpoints;
  }

  /** The parts that are the slice's own. */
  ObjectNode content() {
    ObjectNode content = JsonNodeFactory.instance.objectNode();
    ArrayNode endpointList = content.putArray("endpoints");
    endpoints.forEach(endpointList::add);
    ArrayNode portList = content.putArray("ports");
    ports.forEach(portList::add);
    return content;
  }
}

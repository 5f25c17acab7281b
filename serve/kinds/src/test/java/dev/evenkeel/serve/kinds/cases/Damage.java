package dev.evenkeel.serve.kinds.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes objects that no schema would let pass: parts missing, of the wrong type, of odd values. */
public final class Damage {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Damage() {}

  /** A copy with one to four faults. */
  public static ObjectNode of(ObjectNode object, SplittableRandom random) {
    ObjectNode copy = object.deepCopy();
    int faults = random.nextInt(1, 5);
    for (int i = 0; i < faults; i++) {
      List<JsonNode> parents = new ArrayList<>();
      collect(copy, parents);
      strike(parents.get(random.nextInt(parents.size())), random);
    }
    return copy;
  }

  private static void collect(JsonNode node, List<JsonNode> parents) {
    if (node.isContainer()) {
      parents.add(node);
      node.forEach(child -> collect(child, parents));
    }
  }

  private static void strike(JsonNode parent, SplittableRandom random) {
    if (parent.isEmpty()) {
      return;
    }
    int victim = random.nextInt(parent.size());
    boolean removed = random.nextInt(3) == 0;
    if (parent instanceof ObjectNode object) {
      String name = object.propertyNames().stream().skip(victim).findFirst().orElseThrow();
      if (removed) {
        object.remove(name);
      } else {
        object.set(name, odd(random));
      }
    } else if (parent instanceof ArrayNode array) {
      if (removed) {
        array.remove(victim);
      } else {
        array.set(victim, odd(random));
      }
    }
  }

  private static JsonNode odd(SplittableRandom random) {
    return switch (random.nextInt(9)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.stringNode("");
      case 2 -> NODES.stringNode("+999999999-12-31T23:59:59Z");
      case 3 -> NODES.numberNode(random.nextLong());
      case 4 -> NODES.numberNode(-0.5);
      case 5 -> NODES.booleanNode(random.nextBoolean());
      case 6 -> NODES.arrayNode();
      case 7 -> NODES.arrayNode().add(NODES.nullNode()).add("x").add(NODES.objectNode());
      default -> NODES.objectNode().put("x", "y");
    };
  }
}

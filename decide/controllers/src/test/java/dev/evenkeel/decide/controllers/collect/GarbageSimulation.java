package dev.evenkeel.decide.controllers.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects that own each other in all sorts of ways are deleted in all three ways, while answers get
 * lost and the collector is started anew: in the end nobody is left whose owners are all gone,
 * nobody is gone who had an owner or was let go, and nothing is held for ever.
 */
final class GarbageSimulation {

  private static final int SEEDS = 250;
  private static final Kind<ObjectNode> SECRETS = Kind.untyped("v1", "Secret", "secrets", true);

  private static String map(String name, List<ObjectNode> owners, boolean blocks) {
    var references = new ArrayList<String>();
    for (ObjectNode owner : owners) {
      references.add(
          """
          {"apiVersion":"v1","kind":"ConfigMap","name":"%s","uid":"%s","blockOwnerDeletion":%s}
          """
              .formatted(Meta.name(owner), Meta.uid(owner), blocks));
    }
    return """
    {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s","ownerReferences":[%s]}}
    """
        .formatted(name, String.join(",", references));
  }

  @Test
  void inTheEnd_justTheRightOnesAreLeft() {
    World.seeds("garbage", SEEDS, GarbageSimulation::run);
  }

  private static void run(long seed) {
    try (var world = new World(seed, 10, List.of(), World.Setting.of(seed).collecting())) {
      Map<String, ObjectNode> made = new HashMap<>();
      Set<String> deleted = new HashSet<>();
      Map<String, String> orphaned = new HashMap<>();
      for (int step = 0; step < 30; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(300)));
        world.trouble();
        int dice = world.random.nextInt(10);
        if (dice < 6 || made.isEmpty()) {
          List<ObjectNode> candidates = new ArrayList<>(made.values());
          candidates.removeIf(it -> deleted.contains(Meta.name(it)));
          candidates.sort(java.util.Comparator.comparing(Meta::name));
          List<ObjectNode> owners = new ArrayList<>();
          for (int i = world.random.nextInt(3); i > 0 && !candidates.isEmpty(); i--) {
            owners.add(candidates.remove(world.random.nextInt(candidates.size())));
          }
          String name = "m" + step;
          made.put(
              name, world.create(Kinds.CONFIG_MAPS, map(name, owners, world.random.nextBoolean())));
        } else if (dice == 9) {
          world.restart();
        } else {
          List<String> names = made.keySet().stream().sorted().toList();
          String name = names.get(world.random.nextInt(names.size()));
          String policy =
              List.of("Background", "Foreground", "Orphan").get(world.random.nextInt(3));
          if (deleted.add(name)) {
            // One that is going with its owner takes its dependents along, whatever is said now.
            boolean stays =
                world.list(Kinds.CONFIG_MAPS).stream()
                    .anyMatch(
                        it ->
                            Meta.name(it).equals(name)
                                && !it.path("metadata").has("deletionTimestamp"));
            world.delete(Kinds.CONFIG_MAPS, name, "{\"propagationPolicy\":\"" + policy + "\"}");
            if (policy.equals("Orphan") && stays) {
              orphaned.put(name, Meta.uid(Objects.requireNonNull(made.get(name))));
            }
          }
        }
      }
      world.settle();
      check(world, made, deleted, orphaned);
    }
  }

  private static void check(
      World world,
      Map<String, ObjectNode> made,
      Set<String> deleted,
      Map<String, String> orphaned) {
    Map<String, ObjectNode> left = new HashMap<>();
    world.list(Kinds.CONFIG_MAPS).forEach(it -> left.put(Meta.name(it), it));
    assertThat(left.keySet()).as("deleted ones are gone").doesNotContainAnyElementsOf(deleted);
    Set<String> uids = new HashSet<>();
    left.values().forEach(it -> uids.add(Meta.uid(it)));
    for (ObjectNode object : left.values()) {
      JsonNode owners = object.path("metadata").path("ownerReferences");
      assertThat(object.path("metadata").has("deletionTimestamp")).as(Meta.name(object)).isFalse();
      for (JsonNode owner : owners) {
        assertThat(uids)
            .as("owners of %s", Meta.name(object))
            .contains(Meta.text(owner.path("uid")));
      }
    }
    for (ObjectNode object : made.values()) {
      JsonNode owners = object.path("metadata").path("ownerReferences");
      boolean free = owners.isEmpty();
      boolean setFree = true;
      for (JsonNode owner : owners) {
        free |= left.containsKey(Meta.text(owner.path("name")));
        setFree &= orphaned.containsKey(Meta.text(owner.path("name")));
      }
      free |= setFree;
      if (free && !deleted.contains(Meta.name(object))) {
        assertThat(left).as("had no reason to go").containsKey(Meta.name(object));
      }
    }
    assertThat(uids).as("uids that are left").noneMatch(orphaned::containsValue);
  }

  private static World quiet() {
    return new World(1, 0, List.of(), World.Setting.PLAIN.collecting());
  }

  @Test
  void background_takesTheWholeTree() {
    try (var world = quiet()) {
      ObjectNode a = world.create(Kinds.CONFIG_MAPS, map("a", List.of(), false));
      ObjectNode b = world.create(Kinds.CONFIG_MAPS, map("b", List.of(a), true));
      world.create(Kinds.CONFIG_MAPS, map("c", List.of(b), true));
      world.delete(Kinds.CONFIG_MAPS, "a", "{\"propagationPolicy\":\"Background\"}");
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.list(Kinds.CONFIG_MAPS)).isEmpty();
    }
  }

  @Test
  void foreground_keepsTheOwnerUntilItsBlockingDependentsAreGone() {
    try (var world = quiet()) {
      ObjectNode a = world.create(Kinds.CONFIG_MAPS, map("a", List.of(), false));
      ObjectNode b = world.create(Kinds.CONFIG_MAPS, map("b", List.of(a), true));
      world.create(Kinds.CONFIG_MAPS, map("c", List.of(b), true));
      world.patch(Kinds.CONFIG_MAPS, "c", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
      world.delete(Kinds.CONFIG_MAPS, "a", "{\"propagationPolicy\":\"Foreground\"}");
      world.env.runFor(Duration.ofSeconds(30));
      assertThat(world.list(Kinds.CONFIG_MAPS))
          .hasSize(3)
          .allMatch(it -> it.path("metadata").has("deletionTimestamp"));
      world.patch(Kinds.CONFIG_MAPS, "c", "{\"metadata\":{\"finalizers\":null}}");
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.list(Kinds.CONFIG_MAPS)).isEmpty();
    }
  }

  /** The dependents of an object that is deleted are those that it had then, seen or not. */
  @Test
  void dependentsThatNoWatchBrought_areOrphaned_orWaitedFor() {
    for (String propagation : List.of("Orphan", "Foreground")) {
      try (var world = quiet()) {
        ObjectNode secret = world.create(SECRETS, "{\"metadata\":{\"name\":\"owner\"}}");
        world.env.runFor(Duration.ofSeconds(5));
        world.wires().getFirst().silence("/api/v1/configmaps", true);
        world.create(
            Kinds.CONFIG_MAPS,
            map("b", List.of(secret), true)
                .replace("\"ConfigMap\",\"name\":\"owner\"", "\"Secret\",\"name\":\"owner\""));
        world.patch(
            Kinds.CONFIG_MAPS, "b", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
        world.delete(SECRETS, "owner", "{\"propagationPolicy\":\"" + propagation + "\"}");
        world.env.runFor(Duration.ofSeconds(30));
        ObjectNode dependent = world.get(Kinds.CONFIG_MAPS, "b");
        if (propagation.equals("Orphan")) {
          assertThat(dependent.path("metadata").has("ownerReferences")).isFalse();
          assertThat(world.list(SECRETS)).isEmpty();
        } else {
          assertThat(dependent.path("metadata").has("deletionTimestamp")).isTrue();
          assertThat(world.list(SECRETS)).hasSize(1);
        }
        world.patch(Kinds.CONFIG_MAPS, "b", "{\"metadata\":{\"finalizers\":null}}");
        world.settle();
        assertThat(world.list(SECRETS)).isEmpty();
        assertThat(world.list(Kinds.CONFIG_MAPS)).hasSize(propagation.equals("Orphan") ? 1 : 0);
      }
    }
  }

  @Test
  void orphan_leavesDependentsThatBelongToNobody() {
    try (var world = quiet()) {
      ObjectNode a = world.create(Kinds.CONFIG_MAPS, map("a", List.of(), false));
      world.create(Kinds.CONFIG_MAPS, map("b", List.of(a), true));
      world.delete(Kinds.CONFIG_MAPS, "a", "{\"propagationPolicy\":\"Orphan\"}");
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.list(Kinds.CONFIG_MAPS)).extracting(Meta::name).containsExactly("b");
      assertThat(world.get(Kinds.CONFIG_MAPS, "b").path("metadata").has("ownerReferences"))
          .isFalse();
    }
  }

  @Test
  void ownerMadeAnew_doesNotSaveItsPredecessorsDependents() {
    try (var world = quiet()) {
      ObjectNode a = world.create(Kinds.CONFIG_MAPS, map("a", List.of(), false));
      world.create(Kinds.CONFIG_MAPS, map("b", List.of(a), true));
      world.stop();
      world.delete(Kinds.CONFIG_MAPS, "a", "{\"propagationPolicy\":\"Background\"}");
      world.create(Kinds.CONFIG_MAPS, map("a", List.of(), false));
      world.start();
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.list(Kinds.CONFIG_MAPS)).extracting(Meta::name).containsExactly("a");
    }
  }

  @Test
  void ownerOfAKindThatNobodyKnows_costsNothing() {
    try (var world = quiet()) {
      world.create(
          Kinds.CONFIG_MAPS,
          """
          {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b","ownerReferences":[
           {"apiVersion":"example.com/v1","kind":"Nothing","name":"a","uid":"1"}]}}
          """);
      world.env.runFor(Duration.ofMinutes(5));
      assertThat(world.list(Kinds.CONFIG_MAPS)).hasSize(1);
    }
  }

  @Test
  void circleThatIsDeletedInTheForeground_goes() {
    try (var world = quiet()) {
      ObjectNode a = world.create(Kinds.CONFIG_MAPS, map("a", List.of(), false));
      ObjectNode b = world.create(Kinds.CONFIG_MAPS, map("b", List.of(a), true));
      world.patch(
          Kinds.CONFIG_MAPS,
          "a",
          """
          {"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"b","uid":"%s",
           "blockOwnerDeletion":true}]}}
          """
              .formatted(Meta.uid(b)));
      world.delete(Kinds.CONFIG_MAPS, "a", "{\"propagationPolicy\":\"Foreground\"}");
      world.env.runFor(Duration.ofSeconds(10));
      assertThat(world.list(Kinds.CONFIG_MAPS)).isEmpty();
    }
  }

  private static String ofSecret(ObjectNode owner) {
    return map("b", List.of(owner), true)
        .replace(
            "\"kind\":\"ConfigMap\",\"name\":\"owner\"", "\"kind\":\"Secret\",\"name\":\"owner\"");
  }

  /** The owner has no owner itself, so all that is known of it is that it was seen. */
  @Test
  void ownerThatIsGone_whenItsKindIsListedAnew_takesItsDependentsAlong() {
    try (var world = quiet()) {
      ObjectNode owner = world.create(SECRETS, "{\"metadata\":{\"name\":\"owner\"}}");
      world.create(Kinds.CONFIG_MAPS, ofSecret(owner));
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.list(Kinds.CONFIG_MAPS)).hasSize(1);
      world.wires().getFirst().expire("/api/v1/secrets");
      world.delete(SECRETS, "owner", "{\"propagationPolicy\":\"Background\"}");
      world.env.runFor(Duration.ofMinutes(3));
      assertThat(world.list(Kinds.CONFIG_MAPS)).isEmpty();
    }
  }

  /** What is not seen yet may be a dependent: whoever is held for its dependents waits for that. */
  @Test
  void ownerThatIsDeletedAsTheCollectorStarts_waitsUntilAllKindsWereSeen() {
    for (String propagation : List.of("Orphan", "Foreground")) {
      try (var world = quiet()) {
        world.stop();
        ObjectNode owner = world.create(SECRETS, "{\"metadata\":{\"name\":\"owner\"}}");
        world.create(Kinds.CONFIG_MAPS, ofSecret(owner));
        world.delete(SECRETS, "owner", "{\"propagationPolicy\":\"" + propagation + "\"}");
        world.start();
        world.wires().getFirst().silence("/api/v1/configmaps", true);
        world.env.runFor(Duration.ofSeconds(20));
        assertThat(world.list(SECRETS)).as(propagation).hasSize(1);
        assertThat(world.list(Kinds.CONFIG_MAPS)).hasSize(1);
        world.well();
        world.env.runFor(Duration.ofMinutes(2));
        assertThat(world.list(SECRETS)).as(propagation).isEmpty();
        assertThat(world.list(Kinds.CONFIG_MAPS)).hasSize(propagation.equals("Orphan") ? 1 : 0);
      }
    }
  }
}

package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Roles and bindings come, change and go in an order of chance. After each step the server's
 * answers are those of somebody who walks over all of them with every question.
 */
class RolesSimulation {

  private static final int STEPS = 150;
  private static final int QUESTIONS = 6;

  private static final List<String> NAMESPACES = List.of("", "a", "b");
  private static final List<String> NAMES = List.of("r0", "r1", "r2");
  private static final List<String> VERBS = List.of("get", "list", "*");
  private static final List<String> KINDS = List.of("configmaps", "secrets", "*");
  private static final List<String> WHO = List.of("User u0", "User u1", "Group g0", "Group g1");

  private final ServerFixture fixture = new ServerFixture();
  private final RoleWorld world = new RoleWorld(fixture.client);
  private final Map<String, JsonNode> roles = new TreeMap<>();
  private final Map<String, JsonNode> bindings = new HashMap<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void answers_areThoseOfAWalkOverAllBindings(long seed) {
    var random = new Random(seed);
    world.namespace("a");
    world.namespace("b");
    int allowed = 0;
    for (int step = 0; step < STEPS; step++) {
      change(random);
      for (int i = 0; i < QUESTIONS; i++) {
        allowed += ask(random, "seed " + seed + ", step " + step) ? 1 : 0;
      }
    }
    assertThat(allowed).isBetween(STEPS * QUESTIONS / 20, STEPS * QUESTIONS * 19 / 20);
  }

  private static <T> T one(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private void change(Random random) {
    boolean role = random.nextBoolean();
    String namespace = one(random, NAMESPACES);
    String name = one(random, NAMES);
    String plural = (namespace.isEmpty() ? "cluster" : "") + (role ? "roles" : "rolebindings");
    Map<String, JsonNode> known = role ? roles : bindings;
    String key = namespace + "/" + name;
    if (known.containsKey(key) && random.nextInt(3) == 0) {
      world.delete(namespace, plural, name);
      known.remove(key);
      return;
    }
    String body;
    if (role) {
      body = RoleWorld.roleOf(name, RoleWorld.rule(one(random, VERBS), "", one(random, KINDS)));
    } else {
      // Where a binding leads to cannot be changed: that it is another one is part of its name.
      boolean ofCluster = namespace.isEmpty() || name.equals("r0");
      String[] subject = one(random, WHO).split(" ", -1);
      body =
          RoleWorld.binding(
              name,
              ofCluster ? "ClusterRole" : "Role",
              name,
              "{\"kind\":\"" + subject[0] + "\",\"name\":\"" + subject[1] + "\"}");
    }
    world.put(plural, namespace, body);
    known.put(key, Json.parse(body.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  private boolean ask(Random random, String when) {
    String user = "u" + random.nextInt(3);
    List<String> groups = random.nextBoolean() ? List.of("g" + random.nextInt(3)) : List.of();
    String namespace = one(random, NAMESPACES);
    String verb = one(random, List.of("get", "list", "watch"));
    String resource = one(random, List.of("configmaps", "secrets", "pods"));
    String question =
        "{\"spec\":{\"user\":\"%s\",\"groups\":[%s],\"resourceAttributes\":{\"verb\":\"%s\",\"resource\":\"%s\",\"namespace\":\"%s\"}}}"
            .formatted(
                user,
                String.join(",", groups.stream().map(g -> "\"" + g + "\"").toList()),
                verb,
                resource,
                namespace);
    boolean said =
        fixture
            .client
            .post("/apis/authorization.k8s.io/v1/subjectaccessreviews", question)
            .body()
            .at("/status/allowed")
            .asBoolean();
    assertThat(said)
        .as("%s: %s; roles %s; bindings %s", when, question, roles, bindings)
        .isEqualTo(walk(user, groups, namespace, verb, resource));
    return said;
  }

  private boolean walk(
      String user, List<String> groups, String namespace, String verb, String resource) {
    List<String> held = new ArrayList<>();
    bindings.forEach(
        (key, binding) -> {
          String where = key.substring(0, key.indexOf('/'));
          JsonNode subject = binding.at("/subjects/0");
          String name = subject.path("name").asString();
          boolean mine =
              subject.path("kind").asString().equals("User")
                  ? name.equals(user)
                  : groups.contains(name);
          if (mine && (where.isEmpty() || where.equals(namespace))) {
            boolean ofCluster = binding.at("/roleRef/kind").asString().equals("ClusterRole");
            held.add((ofCluster ? "" : where) + "/" + binding.at("/roleRef/name").asString());
          }
        });
    for (String role : held) {
      JsonNode known = roles.get(role);
      if (known != null
          && has(known.at("/rules/0/verbs/0").asString(), verb)
          && has(known.at("/rules/0/resources/0").asString(), resource)) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(String mine, String wanted) {
    return mine.equals("*") || mine.equals(wanted);
  }
}

package dev.evenkeel.decide.controllers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A world with one deployment, {@code web}, and the controllers that bring it to pods. */
final class DeployedWorld implements AutoCloseable {

  static final String REVISION = "deployment.kubernetes.io/revision";

  final World world;

  /** What users were to be told of the deployment, each thing once. */
  final Set<String> told = new LinkedHashSet<>();

  DeployedWorld(long seed, int lossPercent) {
    world =
        new World(
            seed,
            lossPercent,
            List.of(
                listening(DeploymentReconciler.controller()), ReplicaSetReconciler.controller()));
  }

  private Controller<ObjectNode> listening(Controller<ObjectNode> controller) {
    Reconciler<ObjectNode> listening =
        (Cached<ObjectNode> object, View view) -> {
          Plan plan = controller.reconciler().reconcile(object, view);
          for (int i = 0; i < plan.actions().size(); i++) {
            PlannedEvent of = plan.toldOf(i);
            if (of != null) {
              told.add(of.reason() + ": " + of.message());
            }
          }
          return plan;
        };
    return controller.reconciledBy(listening);
  }

  /**
   * @param spec further fields, each with a comma behind it
   */
  void create(int replicas, String spec) {
    world.create(
        Kinds.DEPLOYMENTS,
        """
        {"apiVersion":"apps/v1","kind":"Deployment",
         "metadata":{"name":"web","annotations":{"kubernetes.io/change-cause":"first"}},
         "spec":{%s "replicas":%d,"selector":{"matchLabels":{"app":"web"}},
         "template":{"metadata":{"labels":{"app":"web"}},
         "spec":{"containers":[{"name":"c","image":"i0",
           "ports":[{"containerPort":80}],"resources":{"requests":{"cpu":"0.5"}}}],
           "volumes":[{"name":"v","emptyDir":{}}]}}}}
        """
            .formatted(spec, replicas));
  }

  void patch(String change) {
    world.patch(Kinds.DEPLOYMENTS, "web", change);
  }

  void scale(int replicas) {
    patch("{\"spec\":{\"replicas\":" + replicas + "}}");
  }

  void pause(boolean paused) {
    patch("{\"spec\":{\"paused\":" + paused + "}}");
  }

  void image(String image) {
    ObjectNode deployment = deployment();
    JsonNode containers =
        deployment.path("spec").path("template").path("spec").path("containers").deepCopy();
    ((ObjectNode) containers.path(0)).put("image", image);
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    change.putObject("spec").putObject("template").putObject("spec").set("containers", containers);
    patch(change.toString());
  }

  ObjectNode deployment() {
    return world.get(Kinds.DEPLOYMENTS, "web");
  }

  JsonNode status() {
    return deployment().path("status");
  }

  JsonNode condition(String type) {
    for (JsonNode condition : status().path("conditions")) {
      if (Meta.text(condition.path("type")).equals(type)) {
        return condition;
      }
    }
    return JsonNodeFactory.instance.missingNode();
  }

  /** For example {@code True NewReplicaSetAvailable}. */
  String says(String type) {
    JsonNode condition = condition(type);
    return Meta.text(condition.path("status")) + " " + Meta.text(condition.path("reason"));
  }

  List<ObjectNode> sets() {
    return world.list(Kinds.REPLICA_SETS);
  }

  /** The only ReplicaSet whose pods have that image. */
  ObjectNode set(String image) {
    List<ObjectNode> found = sets().stream().filter(it -> image(it).equals(image)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  /** Of the template of a deployment or ReplicaSet. */
  static String image(ObjectNode object) {
    return imageOf(object.path("spec").path("template").path("spec"));
  }

  static String imageOf(JsonNode podSpec) {
    return Meta.text(podSpec.path("containers").path(0).path("image"));
  }

  static int replicas(ObjectNode object) {
    return object.path("spec").path("replicas").asInt(-1);
  }

  static String annotation(ObjectNode object, String name) {
    return Meta.text(object.path("metadata").path("annotations").path(name));
  }

  void runFor(Duration duration) {
    world.env.runFor(duration);
  }

  void readyAll() {
    for (ObjectNode pod : world.activePods()) {
      if (Pods.readySince(pod) == null) {
        world.ready(pod);
      }
    }
  }

  /** Has pods come up until there is nothing more to do. */
  void rollOut() {
    for (int i = 0; i < 30; i++) {
      runFor(Duration.ofSeconds(1));
      collect();
      // One that wants no pods is complete at once, and may still wait for old ones to end.
      if (isComplete() && world.list(Kinds.PODS).stream().noneMatch(Pods::isEnding)) {
        return;
      }
      endThoseAsked();
      readyAll();
    }
  }

  /** Ends pods whose ReplicaSet is gone. */
  void collect() {
    List<String> owners = sets().stream().map(Meta::uid).toList();
    for (ObjectNode pod : world.list(Kinds.PODS)) {
      if (!owners.contains(
          Meta.text(pod.path("metadata").path("ownerReferences").path(0).path("uid")))) {
        world.patch(Kinds.PODS, Meta.name(pod), "{\"metadata\":{\"finalizers\":null}}");
        world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
      }
    }
  }

  /** Lets go of pods that are asked to end. */
  void endThoseAsked() {
    for (ObjectNode pod : world.list(Kinds.PODS)) {
      if (Pods.isEnding(pod)) {
        world.patch(Kinds.PODS, Meta.name(pod), "{\"metadata\":{\"finalizers\":null}}");
      }
    }
    world.endThoseAsked();
  }

  /** Whether the deployment says so, and its ReplicaSets have nothing left to do. */
  boolean isComplete() {
    ObjectNode deployment = deployment();
    JsonNode status = deployment.path("status");
    int wanted = replicas(deployment);
    return status.path("replicas").asInt(0) == wanted
        && status.path("updatedReplicas").asInt(0) == wanted
        && status.path("availableReplicas").asInt(0) == wanted
        && isObserved(deployment)
        && sets().stream().allMatch(DeployedWorld::isObserved);
  }

  private static boolean isObserved(ObjectNode object) {
    return object
        .path("status")
        .path("observedGeneration")
        .equals(object.path("metadata").path("generation"));
  }

  @Override
  public void close() {
    world.close();
  }
}

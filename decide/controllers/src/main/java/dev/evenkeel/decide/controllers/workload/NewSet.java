package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.observe.object.Kinds;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The ReplicaSet for a template that none has yet. */
final class NewSet {

  private static final int NAME_CHARS_MAX = 253;

  private NewSet() {}

  /** Without pods, so far; null if another has its name. */
  static @Nullable OwnedSet of(DeploymentSpec wanted, View view) {
    String hash = Templates.hash(Templates.canonical(wanted.template()), wanted.collisions());
    String name = name(wanted.name(), hash);
    if (view.find(Kinds.REPLICA_SETS, wanted.seen().namespace(), name) != null) {
      return null;
    }
    ObjectNode template = copy(wanted.template());
    ObjectNode labels = template.withObjectProperty("metadata").withObjectProperty("labels");
    labels.put(Templates.HASH_LABEL, hash);
    ObjectNode selector = copy(wanted.tree().path("spec").path("selector"));
    selector.withObjectProperty("matchLabels").put(Templates.HASH_LABEL, hash);

    ObjectNode set = JsonNodeFactory.instance.objectNode();
    set.put("apiVersion", Kinds.REPLICA_SETS.gvk().apiVersion());
    set.put("kind", Kinds.REPLICA_SETS.gvk().kind());
    ObjectNode metadata = set.putObject("metadata");
    metadata.put("name", name).put("namespace", wanted.seen().namespace());
    metadata.set("labels", labels.deepCopy());
    Ownership.take(set, wanted.seen());
    ObjectNode spec = set.putObject("spec");
    spec.put("replicas", 0);
    if (wanted.minReadySeconds() > 0) {
      spec.put("minReadySeconds", wanted.minReadySeconds());
    }
    spec.set("selector", selector);
    spec.set("template", template);
    return new OwnedSet(null, set);
  }

  private static String name(String deployment, String hash) {
    int most = NAME_CHARS_MAX - 1 - hash.length();
    return deployment.substring(0, Math.min(deployment.length(), most)) + "-" + hash;
  }

  private static ObjectNode copy(JsonNode node) {
    return node instanceof ObjectNode object
        ? object.deepCopy()
        : JsonNodeFactory.instance.objectNode();
  }
}

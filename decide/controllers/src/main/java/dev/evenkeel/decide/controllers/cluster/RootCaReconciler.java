package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.FieldSelector;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts the certificates that vouch for the API server into every namespace, where pods mount them.
 * Whoever changes them there would have pods trust another server, so they are put back.
 */
public final class RootCaReconciler implements Reconciler<ObjectNode> {

  static final String NAME = "kube-root-ca.crt";

  private static final String KEY = "ca.crt";
  private static final String DESCRIPTION = "kubernetes.io/description";
  private static final String TEXT =
      "The certificates to check the API server by, when it is asked from inside the cluster.";

  private final String pem;

  private RootCaReconciler(String pem) {
    this.pem = pem;
  }

  /**
   * The controller.
   *
   * @param pem the certificates
   */
  public static Controller<ObjectNode> controller(String pem) {
    return Controller.of("root-ca-publisher", Kinds.NAMESPACES, new RootCaReconciler(pem))
        .watching(
            Kinds.CONFIG_MAPS,
            (map, _) -> map.name().equals(NAME) ? List.of(new Key("", map.namespace())) : List.of())
        .within(
            Kinds.CONFIG_MAPS, Scope.ALL.withFields(FieldSelector.parse("metadata.name=" + NAME)));
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    ObjectNode namespace = object.tree();
    Plan plan = Plan.empty();
    String phase = Meta.text(namespace.path("status").path("phase"));
    if (Pods.isEnding(namespace) || phase.equals("Terminating")) {
      return plan;
    }
    Cached<ObjectNode> seen = view.find(Kinds.CONFIG_MAPS, object.name(), NAME);
    if (seen == null) {
      plan.create(
          Kinds.CONFIG_MAPS,
          made(object.name()),
          "the namespace has no certificates to check the API server by");
      return plan;
    }
    ObjectNode map = seen.tree();
    JsonNode description = map.path("metadata").path("annotations").path(DESCRIPTION);
    boolean right = isRight(map.path("data"));
    if (right && !Meta.text(description).isEmpty()) {
      return plan;
    }
    if (!map.path("immutable").asBoolean(false)) {
      plan.patch(seen, change(map), "somebody changed the certificates, or they were renewed");
    } else if (!right && !Pods.isEnding(map)) {
      plan.delete(seen, "the certificates are wrong and cannot be changed: they are made anew");
    }
    return plan;
  }

  private boolean isRight(JsonNode data) {
    return data.size() == 1 && Meta.text(data.path(KEY)).equals(pem);
  }

  private ObjectNode made(String namespace) {
    ObjectNode map = JsonNodeFactory.instance.objectNode();
    map.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = map.putObject("metadata");
    metadata.put("name", NAME).put("namespace", namespace);
    metadata.putObject("annotations").put(DESCRIPTION, TEXT);
    map.putObject("data").put(KEY, pem);
    return map;
  }

  private ObjectNode change(ObjectNode map) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    Meta.of(change).putObject("annotations").put(DESCRIPTION, TEXT);
    ObjectNode data = change.putObject("data");
    map.path("data").propertyNames().forEach(data::putNull);
    data.put(KEY, pem);
    return change;
  }
}

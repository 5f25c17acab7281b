package dev.evenkeel.decide.controllers.object;

import dev.evenkeel.observe.object.Kind;
import tools.jackson.databind.node.ObjectNode;

/** Built-in kinds, as trees: controllers carry whole templates, of which they know little. */
public final class Kinds {

  public static final Kind<ObjectNode> PODS = Kind.untyped("v1", "Pod", "pods", true);

  public static final Kind<ObjectNode> REPLICA_SETS =
      Kind.untyped("apps/v1", "ReplicaSet", "replicasets", true);

  private Kinds() {}
}

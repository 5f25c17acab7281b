package dev.evenkeel.decide.world;

import dev.evenkeel.decide.effect.Actuator;
import dev.evenkeel.decide.plan.Condition;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.define.CustomKind;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A controller with all that a runtime can do for one: gates of a cloud. */
public final class Gates implements Reconciler<Gates.Gate> {

  /** The kind. */
  @CustomKind(group = "prove.evenkeel.dev", version = "v1")
  public record Gate(Spec spec, @Nullable Status status) {
    /** What is wanted. */
    public record Spec(int port) {}

    /** What is there. */
    public record Status(@Nullable String ip, @Nullable List<JsonNode> conditions) {}
  }

  public static final Kind<Gate> KIND = Kind.custom(Gate.class);
  public static final String FINALIZER = "prove.evenkeel.dev/gate";

  public static Controller<Gate> controller(Actuator cloud) {
    return Controller.of("gate", KIND, new Gates()).actingThrough(cloud).finalizing(FINALIZER);
  }

  @Override
  public Plan reconcile(Cached<Gate> gate, View view) {
    int port = gate.value().spec().port();
    ObjectNode there = view.effect("cloud", "gate");
    boolean isOpen = there != null && there.path("port").asInt(0) == port;
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    if (there != null) {
      status.put("ip", there.path("ip").asString(""));
    }
    return Plan.empty()
        .effect(
            gate,
            "cloud",
            "gate",
            JsonNodeFactory.instance.objectNode().put("port", port),
            "a gate at port " + port + " is wanted")
        .status(gate, status, "the cloud says so")
        .condition(
            view,
            gate,
            isOpen
                ? Condition.isTrue("Ready", "Open", "port " + port + " is open")
                : Condition.isFalse("Ready", "Opening", "port " + port + " is not open"));
  }

  @Override
  public Plan cleanUp(Cached<Gate> gate, View view) {
    return Plan.empty().withdraw(gate, "cloud", "gate", "nobody wants it any more").clean();
  }
}

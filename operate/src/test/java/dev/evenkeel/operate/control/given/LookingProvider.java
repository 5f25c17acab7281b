package dev.evenkeel.operate.control.given;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerProvider;
import dev.evenkeel.observe.object.Kind;
import java.util.Collection;
import java.util.List;

/** Looks at config maps and leaves them alone. */
public final class LookingProvider implements ControllerProvider {

  @Override
  public Collection<Controller<?>> controllers() {
    return List.of(
        Controller.of(
            Names.looking(),
            Kind.untyped("v1", "ConfigMap", "configmaps", true),
            (_, _) -> Plan.empty()));
  }
}

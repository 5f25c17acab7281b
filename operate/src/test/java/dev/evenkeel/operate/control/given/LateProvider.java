package dev.evenkeel.operate.control.given;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerProvider;
import dev.evenkeel.observe.object.Kind;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Needs a class only when it works, and may find then that it is missing. */
public final class LateProvider implements ControllerProvider {

  @Override
  public Collection<Controller<?>> controllers() {
    return List.of(
        Controller.of(
                "late",
                Kind.untyped("v1", "ConfigMap", "configmaps", true),
                (map, view) -> Plan.empty().lookAgain(Duration.ofHours(1), Names.looking()))
            .watching(
                Kind.untyped("v1", "ServiceAccount", "serviceaccounts", true),
                (account, view) -> List.of(new Key(account.namespace(), Names.looking()))));
  }
}

package dev.evenkeel.operate.control.given;

import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerProvider;
import java.util.Collection;
import java.util.List;

/** Has a kind that is none. */
public final class UndefinableProvider implements ControllerProvider {

  /** Not annotated. */
  public record Nothing(String of) {}

  @Override
  public Collection<Class<? extends Record>> kinds() {
    return List.of(Nothing.class);
  }

  @Override
  public Collection<Controller<?>> controllers() {
    return List.of();
  }
}

package dev.evenkeel.decide.run;

import java.util.Collection;
import java.util.List;

/**
 * What a jar brings to a server that runs it: controllers, and the kinds that they are about.
 *
 * <p>The jar names its provider in {@code META-INF/services/dev.evenkeel.decide.run
 * .ControllerProvider}, and {@code evenkeel up --controllers website.jar} runs it. The same
 * controllers run elsewhere through {@link Operator}.
 *
 * <p>It says what there is and does nothing: who leads, and when the work begins and ends, is the
 * server's affair.
 */
public interface ControllerProvider {

  /**
   * The controllers. Their names are their own: no other controller of the server, and no lease of
   * another program, has one of them.
   */
  Collection<Controller<?>> controllers();

  /** Records whose kinds are defined, or brought up to date, before the controllers run. */
  default Collection<Class<? extends Record>> kinds() {
    return List.of();
  }
}

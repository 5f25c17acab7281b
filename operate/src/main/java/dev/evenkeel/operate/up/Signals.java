package dev.evenkeel.operate.up;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs something when the process is told to end, in place of the JVM's own way, which would give
 * it no chance to end well and report so.
 *
 * <p>By reflection, because the compiler calls the JDK's signals internal: they are in a module
 * made for use like this, and have been for twenty years.
 */
final class Signals {

  private static final List<String> END = List.of("TERM", "INT");

  private Signals() {}

  /** Runs the action at the first signal, on a thread of the JVM's; a second one ends at once. */
  static void onEnd(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      var pending = new AtomicBoolean(true);
      Object proxy =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      if (pending.getAndSet(false)) {
                        action.run();
                      } else {
                        Runtime.getRuntime().halt(1);
                      }
                      yield null;
                    }
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" ->
                        System.identityHashCode(self) == System.identityHashCode(arguments[0]);
                    default -> "signals";
                  });
      for (String name : END) {
        signal
            .getMethod("handle", signal, handler)
            .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
      }
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | IllegalAccessException
        | InstantiationException
        | InvocationTargetException e) {
      throw new IllegalStateException("this JVM does not let its user handle signals", e);
    }
  }
}

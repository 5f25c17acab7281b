package dev.evenkeel.operate.control;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.LeaseElection;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerRunner;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.decide.run.Operator;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Controllers that users gave to the server in jars, run beside its own. They have caches of their
 * own, so that code of theirs that is slow or fails holds up nobody else; what they decide is
 * written down with the rest.
 *
 * <p><b>Invariants:</b> a jar's controllers run all or not at all, and after their kinds were
 * defined. No two controllers have one name.
 *
 * <p><b>Threading:</b> all on its loop; what it shows is for any thread.
 */
public final class UserControllers implements AutoCloseable {

  /** Names of leases and labels of metrics are made of it. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,48}[a-z0-9])?");

  /** Kinds that could not be defined are tried again after this, for as long as it takes. */
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(10);

  private final Operator operator;
  private final Loop loop;
  private final boolean elect;
  private final Consumer<String> say;
  private final Set<String> names;
  private final List<ControllerJar> jars = new ArrayList<>();

  private UserControllers(
      Env env,
      Transport transport,
      DecisionLog log,
      ControllerMetrics metrics,
      boolean elect,
      Set<String> taken,
      Consumer<String> say) {
    this.operator = Operator.over(env, transport, log, metrics);
    this.loop = env.loop("users-controllers");
    this.elect = elect;
    this.say = say;
    this.names = new HashSet<>(taken);
  }

  /**
   * Begins to read the jars and to run what they provide.
   *
   * @param transport closed with this
   * @param elect whether others may run controllers on the same store: then each controller has a
   *     lease of its own, since not everybody need have the same jars
   * @param taken names of controllers that run already
   * @param paths jars, and folders of jars that belong together
   * @param say is given a line for each path, also if it cannot be used
   */
  public static UserControllers start(
      Env env,
      Transport transport,
      DecisionLog log,
      ControllerMetrics metrics,
      boolean elect,
      Set<String> taken,
      List<Path> paths,
      Consumer<String> say) {
    var started = new UserControllers(env, transport, log, metrics, elect, taken, say);
    for (Path path : paths) {
      started.loop.execute(() -> started.read(path));
    }
    return started;
  }

  private void read(Path path) {
    ControllerJar jar;
    try {
      jar = ControllerJar.open(path);
    } catch (JarClasses.Unusable e) {
      refuse(path, String.valueOf(e.getMessage()));
      return;
    }
    jars.add(jar);
    Set<String> own = new HashSet<>();
    for (Controller<?> controller : jar.controllers()) {
      String name = controller.name();
      if (!NAME.matcher(name).matches()) {
        refuse(path, "'" + name + "' is no name for a controller; write " + NAME);
        return;
      }
      if (names.contains(name) || !own.add(name)) {
        refuse(path, "there is a controller '" + name + "' already");
        return;
      }
    }
    names.addAll(own);
    run(path, jar, true);
  }

  private void run(Path path, ControllerJar jar, boolean first) {
    try {
      jar.kinds().forEach(operator::define);
    } catch (IllegalArgumentException | LinkageError e) {
      refuse(path, "its kinds cannot be defined: " + JarClasses.shortly(e));
      return;
    } catch (RuntimeException e) {
      if (first) {
        refuse(
            path,
            "its kinds cannot be defined, which is tried again every "
                + AGAIN_AFTER.toSeconds()
                + " s: "
                + JarClasses.shortly(e));
      }
      again(path, jar);
      return;
    }
    List<String> running = new ArrayList<>();
    for (Controller<?> controller : jar.controllers()) {
      Leadership leadership =
          elect
              ? operator.elect("kube-system", "evenkeel-controller-" + controller.name())
              : Leadership.ALONE;
      var _ = operator.run(controller, leadership);
      running.add(controller.name());
    }
    say.accept("runs       " + String.join(", ", running) + " · " + path);
  }

  private void again(Path path, ControllerJar jar) {
    try {
      var _ = loop.runLater(AGAIN_AFTER, () -> run(path, jar, false));
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }

  private void refuse(Path path, String why) {
    say.accept("not run    " + path + ": " + why);
  }

  List<WorkQueue> queues() {
    List<WorkQueue> queues = new ArrayList<>();
    operator.running().forEach(runner -> queues.add(runner.queue()));
    return queues;
  }

  List<ControllerRunner<?>> running() {
    return operator.running();
  }

  List<LeaseElection> elections() {
    return operator.elections();
  }

  EventRecorder.Figures events() {
    return operator.events().figures();
  }

  /** Ends the work, and then lets go of the jars. */
  @Override
  public void close() {
    loop.close();
    operator.close();
    jars.forEach(ControllerJar::close);
  }
}

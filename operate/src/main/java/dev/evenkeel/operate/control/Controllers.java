package dev.evenkeel.operate.control;

import dev.evenkeel.decide.controllers.collect.GarbageCollector;
import dev.evenkeel.decide.controllers.collect.NamespaceCollector;
import dev.evenkeel.decide.controllers.workload.ReplicaSetReconciler;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerRunner;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The controllers of a server, with the caches that they share. They see the server through a
 * transport, as if they were somewhere else.
 */
public final class Controllers implements AutoCloseable {

  private final Transport transport;
  private final Client client;
  private final Informers informers;
  private final DecisionLog log = DecisionLog.ofServer();
  private final EventRecorder events;
  private final List<ControllerRunner<?>> runners = new ArrayList<>();
  private @Nullable GarbageCollector collector;
  private @Nullable NamespaceCollector namespaces;

  private Controllers(Env env, Transport transport) {
    this.transport = transport;
    this.informers = new Informers(env, transport, FeedLimits.DEFAULTS);
    this.client = new Client(transport);
    this.events = new EventRecorder(env, client);
  }

  /**
   * Begins to follow the server and to work.
   *
   * @param transport closed with this
   */
  public static Controllers start(Env env, Transport transport) {
    var controllers = new Controllers(env, transport);
    all().forEach(controller -> controllers.run(env, controller));
    controllers.collector = GarbageCollector.start(env, transport, controllers.log);
    controllers.namespaces =
        NamespaceCollector.start(env, controllers.informers, controllers.client, controllers.log);
    return controllers;
  }

  private void run(Env env, Controller<?> controller) {
    runners.add(ControllerRunner.start(controller, env, informers, client, log, events));
  }

  private static List<Controller<?>> all() {
    return List.of(ReplicaSetReconciler.controller());
  }

  public DecisionLog log() {
    return log;
  }

  public List<WorkQueue> queues() {
    List<WorkQueue> queues = new ArrayList<>();
    runners.forEach(runner -> queues.add(runner.queue()));
    if (collector != null && namespaces != null) {
      queues.add(collector.queue());
      queues.add(namespaces.queue());
    }
    return queues;
  }

  @Override
  public void close() {
    runners.forEach(ControllerRunner::close);
    if (collector != null) {
      collector.close();
    }
    if (namespaces != null) {
      namespaces.close();
    }
    informers.close();
    events.close();
    transport.close();
  }
}

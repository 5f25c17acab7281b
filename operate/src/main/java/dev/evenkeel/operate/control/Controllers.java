package dev.evenkeel.operate.control;

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
    return runners.stream().map(ControllerRunner::queue).toList();
  }

  @Override
  public void close() {
    runners.forEach(ControllerRunner::close);
    informers.close();
    events.close();
    transport.close();
  }
}

package dev.evenkeel.operate.control;

import dev.evenkeel.decide.controllers.collect.GarbageCollector;
import dev.evenkeel.decide.controllers.collect.NamespaceCollector;
import dev.evenkeel.decide.controllers.workload.ReplicaSetReconciler;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.Operator;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.observe.transport.Transport;
import java.util.ArrayList;
import java.util.List;

/**
 * The controllers of a server. They see it through a transport, as if they were somewhere else.
 */
public final class Controllers implements AutoCloseable {

  private final Operator operator;
  private final GarbageCollector collector;
  private final NamespaceCollector namespaces;

  private Controllers(Env env, Transport transport) {
    DecisionLog log = DecisionLog.ofServer();
    this.operator = Operator.over(env, transport, log);
    all().forEach(operator::run);
    this.collector = GarbageCollector.start(env, transport, log);
    this.namespaces =
        NamespaceCollector.start(env, operator.informers(), operator.client(), log);
  }

  /**
   * Begins to follow the server and to work.
   *
   * @param transport closed with this
   */
  public static Controllers start(Env env, Transport transport) {
    return new Controllers(env, transport);
  }

  private static List<Controller<?>> all() {
    return List.of(ReplicaSetReconciler.controller());
  }

  public DecisionLog log() {
    return operator.decisions();
  }

  public List<WorkQueue> queues() {
    List<WorkQueue> queues = new ArrayList<>();
    operator.running().forEach(runner -> queues.add(runner.queue()));
    queues.add(collector.queue());
    queues.add(namespaces.queue());
    return queues;
  }

  @Override
  public void close() {
    collector.close();
    namespaces.close();
    operator.close();
  }
}

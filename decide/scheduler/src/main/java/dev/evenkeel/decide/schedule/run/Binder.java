package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.LeaseFence;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.fit.BindingNotes;
import dev.evenkeel.kernel.fit.LedgerReport;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Has placements committed. A server that is Evenkeel takes the first of several nodes that is
 * enough, and answers a repeated binding as it answered the first; any other takes the node that is
 * named.
 *
 * <p><b>Threading:</b> answers come on the loop.
 */
final class Binder {

  static final Duration SETTLE_AFTER = Duration.ofMillis(200);
  static final int SETTLE_MAX = 10;

  private final Client client;
  private final Loop loop;

  Binder(Client client, Loop loop) {
    this.client = client;
    this.loop = loop;
  }

  /**
   * A placement to be committed.
   *
   * @param alternatives if the node has too little after all
   * @param version of the picture that it was decided on
   * @param operation the same for every try of it
   */
  record Wish(PodInfo pod, String node, List<String> alternatives, long version, String operation) {

    ObjectNode binding() {
      ObjectNode binding = JsonNodeFactory.instance.objectNode();
      binding.put("apiVersion", "v1").put("kind", "Binding");
      ObjectNode metadata = binding.putObject("metadata");
      metadata.put("name", pod.name()).put("namespace", pod.namespace()).put("uid", pod.uid());
      ObjectNode annotations = metadata.putObject("annotations");
      annotations.put(BindingNotes.OPERATION, operation);
      annotations.put(BindingNotes.OBSERVED, Long.toString(version));
      if (!alternatives.isEmpty()) {
        annotations.put(BindingNotes.CANDIDATES, String.join(",", alternatives));
      }
      binding.putObject("target").put("apiVersion", "v1").put("kind", "Node").put("name", node);
      return binding;
    }
  }

  /**
   * A quota that has no room.
   *
   * @param quota as {@code namespace/name}
   * @param used of the resource, in all, as the server says
   * @param version of the quota's ledger then
   */
  record OverShare(String quota, String resource, long used, long version) {}

  /** What came of it. */
  sealed interface Outcome {

    ActionRecord record(Wish wish);

    /** It is committed. */
    record Done(String node, long version) implements Outcome {
      @Override
      public ActionRecord record(Wish wish) {
        return Binder.record(wish, node, ActionRecord.Result.DONE, version, "");
      }
    }

    /** None of the nodes has enough any more, or the pod's namespace has had its share of them. */
    record TooLittle(
        List<Corrections.Shortage> shortages, List<OverShare> overShares, String message)
        implements Outcome {
      public TooLittle {
        shortages = List.copyOf(shortages);
        overShares = List.copyOf(overShares);
      }

      @Override
      public ActionRecord record(Wish wish) {
        return Binder.record(wish, wish.node(), ActionRecord.Result.CONFLICT, 0, message);
      }
    }

    /**
     * It is not committed, for another reason.
     *
     * @param settled whether there is nothing to be told: the pod is gone, or has a node
     */
    record Refused(String message, boolean leaseLost, boolean settled) implements Outcome {
      @Override
      public ActionRecord record(Wish wish) {
        return Binder.record(wish, wish.node(), ActionRecord.Result.REFUSED, 0, message);
      }
    }
  }

  private static ActionRecord record(
      Wish wish, String node, ActionRecord.Result result, long version, String detail) {
    return new ActionRecord(
        "bind",
        "pods " + wish.pod().key() + " to " + node,
        "it is the best of the nodes that are enough",
        "seen at version " + wish.version(),
        result,
        version,
        detail);
  }

  void bind(Wish wish, Term term, Consumer<Outcome> then) {
    send(wish, term, then, 0);
  }

  private void send(Wish wish, Term term, Consumer<Outcome> then, int tries) {
    var _ =
        term.fence(client)
            .create(
                Kinds.PODS, wish.pod().namespace(), wish.pod().name(), "binding", wish.binding())
            .whenComplete(
                (answer, failure) ->
                    onLoop(
                        () -> {
                          if (failure == null) {
                            then.accept(done(wish, answer));
                          } else {
                            failed(wish, term, then, tries, cause(failure));
                          }
                        }));
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // It is closed: whoever is in charge next sees what was committed.
    }
  }

  private static Outcome done(Wish wish, ObjectNode answer) {
    String node = Meta.text(answer.path("details").path("name"));
    String version = Meta.resourceVersion(answer);
    return new Outcome.Done(
        node.isEmpty() ? wish.node() : node, version.isEmpty() ? 0 : Long.parseLong(version));
  }

  /** Whether it was committed is not known: the same operation is asked for again. */
  private void failed(Wish wish, Term term, Consumer<Outcome> then, int tries, Throwable failure) {
    if (failure instanceof ApiException refused && refused.status().code() < 500) {
      then.accept(refused(wish, refused.status()));
    } else if (tries < SETTLE_MAX) {
      var _ = loop.runLater(SETTLE_AFTER, () -> send(wish, term, then, tries + 1));
    } else {
      then.accept(new Outcome.Refused(String.valueOf(failure.getMessage()), false, false));
    }
  }

  static Outcome refused(Wish wish, Status status) {
    List<Corrections.Shortage> shortages = new ArrayList<>();
    List<OverShare> overShares = new ArrayList<>();
    List<LedgerReport> reports = LedgerReport.in(status);
    for (LedgerReport report : reports) {
      report
          .used()
          .forEach(
              (resource, used) -> {
                switch (report.sort()) {
                  case NODE ->
                      shortages.add(
                          new Corrections.Shortage(
                              report.name(), resource, used, report.version()));
                  case TENANT ->
                      overShares.add(
                          new OverShare(
                              wish.pod().namespace() + "/" + report.name(),
                              resource,
                              used,
                              report.version()));
                }
              });
    }
    return reports.isEmpty()
        ? new Outcome.Refused(
            status.message(),
            status.reason().equals(LeaseFence.LEASE_LOST),
            status.code() == 404 || status.code() == 409)
        : new Outcome.TooLittle(shortages, overShares, status.message());
  }

  static Throwable cause(@Nullable Throwable failure) {
    return failure == null
        ? new IllegalStateException("no answer and no failure")
        : FutureFailure.cause(failure);
  }
}

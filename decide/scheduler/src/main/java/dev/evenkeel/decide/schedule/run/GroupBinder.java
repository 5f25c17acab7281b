package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.run.PlacedPods.Member;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.fit.BindingNotes;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Has the placements of a group committed in one transaction. What the server says to it is what it
 * says to a single binding, and is understood in the same way.
 *
 * <p><b>Threading:</b> answers come on the loop.
 */
final class GroupBinder {

  private final Client client;
  private final Loop loop;

  GroupBinder(Client client, Loop loop) {
    this.client = client;
    this.loop = loop;
  }

  /**
   * Placements to be committed together.
   *
   * @param members not empty
   * @param version of the picture that they were decided on
   * @param operation the same for every try of it
   */
  record Wish(KnownGroup group, List<Member> members, long version, String operation) {

    ObjectNode binding() {
      ObjectNode binding = JsonNodeFactory.instance.objectNode();
      binding.put("apiVersion", "evenkeel.dev/v1alpha1").put("kind", "PodGroupBinding");
      ObjectNode metadata = binding.putObject("metadata");
      metadata.put("name", group.group().name()).put("namespace", group.group().namespace());
      metadata
          .putObject("annotations")
          .put(BindingNotes.OPERATION, operation)
          .put(BindingNotes.OBSERVED, Long.toString(version));
      ArrayNode bindings = binding.putArray("bindings");
      for (Member member : members) {
        bindings
            .addObject()
            .put("pod", member.pod().name())
            .put("uid", member.pod().uid())
            .put("node", member.node());
      }
      return binding;
    }

    /** What one of them would ask for by itself. */
    Binder.Wish of(Member member) {
      return new Binder.Wish(member.pod(), member.node(), List.of(), version, operation);
    }
  }

  void bind(Wish wish, Term term, Consumer<Binder.Outcome> then) {
    send(wish, term, then, 0);
  }

  private void send(Wish wish, Term term, Consumer<Binder.Outcome> then, int tries) {
    var _ =
        term.fence(client)
            .create(
                Kinds.POD_GROUPS,
                wish.group().group().namespace(),
                wish.group().group().name(),
                "binding",
                wish.binding())
            .whenComplete(
                (answer, failure) ->
                    onLoop(
                        () -> {
                          if (failure == null) {
                            then.accept(done(wish, answer));
                          } else {
                            failed(wish, term, then, tries, Binder.cause(failure));
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

  private static Binder.Outcome done(Wish wish, ObjectNode answer) {
    String version = Meta.resourceVersion(answer);
    return new Binder.Outcome.Done(
        wish.members().getFirst().node(), version.isEmpty() ? 0 : Long.parseLong(version));
  }

  /** Whether it was committed is not known: the same operation is asked for again. */
  private void failed(
      Wish wish, Term term, Consumer<Binder.Outcome> then, int tries, Throwable failure) {
    if (failure instanceof ApiException refused && refused.status().code() < 500) {
      then.accept(Binder.refused(wish.of(wish.members().getFirst()), refused.status()));
    } else if (tries < Binder.SETTLE_MAX) {
      var _ = loop.runLater(Binder.SETTLE_AFTER, () -> send(wish, term, then, tries + 1));
    } else {
      then.accept(new Binder.Outcome.Refused(String.valueOf(failure.getMessage()), false, false));
    }
  }
}

package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.patch.JsonPatch;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.policy.Selection;
import dev.evenkeel.serve.policy.World;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Has a write changed by the webhooks that may be about it, one after the other. Those that want to
 * are asked a second time when others changed the object after them; there is no third.
 */
final class MutatingWebhooks implements AdmissionPlugin {

  private static final String PREFIX = "mutation.webhook.admission.k8s.io/";

  private final Webhooks webhooks;
  private final World world;
  private final List<Hook> hooks;
  private final List<AdmissionPlugin> before;
  private final Answers answers;

  /**
   * @param before the plugins that were asked before, which look again at what webhooks changed
   */
  MutatingWebhooks(
      Webhooks webhooks,
      World world,
      List<Hook> hooks,
      List<AdmissionPlugin> before,
      Answers answers) {
    this.webhooks = webhooks;
    this.world = world;
    this.hooks = hooks;
    this.before = before;
    this.answers = answers;
  }

  @Override
  public String name() {
    return "MutatingAdmissionWebhook";
  }

  @Override
  public boolean mayTakeLong() {
    return true;
  }

  @Override
  public boolean refusesWhenChanging() {
    return true;
  }

  @Override
  public void mutate(AdmissionRequest request) {
    new Rounds(request).both();
  }

  /** One write on its way through all webhooks. */
  private final class Rounds {
    private final AdmissionRequest request;
    private final Selection selection;

    /** Who was asked, and wants to look again if others change something. */
    private final Set<Hook> waiting = new HashSet<>();

    /** Who is to look again. */
    private final Set<Hook> due = new HashSet<>();

    Rounds(AdmissionRequest request) {
      this.request = request;
      this.selection = new Selection(world, request);
    }

    void both() {
      if (!round(0, _ -> true)) {
        return;
      }
      ObjectNode made = request.wanted().deepCopy();
      before.forEach(plugin -> plugin.mutateAgain(request));
      if (!made.equals(request.wanted())) {
        due.addAll(waiting);
        waiting.clear();
      }
      if (!due.isEmpty()) {
        round(1, due::contains);
      }
    }

    /** Whether it changed the object. */
    private boolean round(int number, Predicate<Hook> isAsked) {
      boolean changed = false;
      for (Hook hook : hooks) {
        if (!isAsked.test(hook)) {
          continue;
        }
        ResourceDefinition kind = Outcomes.version(hook, selection, request);
        if (kind == null) {
          continue;
        }
        if (take(hook, kind, "round_" + number + "_index_" + hook.index())) {
          due.addAll(waiting);
          waiting.clear();
          changed = true;
        }
        if (hook.matching().isReinvoked()) {
          waiting.add(hook);
        }
      }
      return changed;
    }

    private boolean take(Hook hook, ResourceDefinition kind, String place) {
      var question = Review.of(world, request, selection.asked(), kind, hook);
      Outcome outcome =
          answers
              .of(List.of(question), asked -> webhooks.ask(hook, asked, request, answers.left()))
              .getFirst();
      Outcomes.remark(hook, request, outcome);
      ApiException refusal = Outcomes.refusal(hook, request, outcome, PREFIX + place);
      boolean changed =
          refusal == null
              && outcome instanceof Outcome.Allowed(JsonNode patch, Outcome.Remarks _)
              && patch != null
              && change(hook, kind, patch);
      request.annotations().accept(PREFIX + place, annotation(hook, changed));
      if (refusal != null) {
        throw refusal;
      }
      return changed;
    }

    private static String annotation(Hook hook, boolean changed) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("configuration", hook.configuration())
          .put("webhook", hook.name())
          .put("mutated", changed)
          .toString();
    }

    private boolean change(Hook hook, ResourceDefinition kind, JsonNode patch) {
      ObjectNode object = request.object();
      if (object == null || isOfPart(object)) {
        throw failed(
            "admission webhook "
                + GoText.quoted(hook.name())
                + " attempted to modify the object, which is not supported for this operation");
      }
      ResourceDefinition spoken = request.definition();
      ObjectNode seen = world.converted(spoken, kind, object).deepCopy();
      ObjectNode next;
      ObjectNode back;
      try {
        next = JsonPatch.apply(patch, seen);
        if (next.equals(seen)) {
          return false;
        }
        checkPlace(hook, seen, next);
        back = world.converted(kind, spoken, next).deepCopy();
        world.settle(spoken, back);
      } catch (ApiException e) {
        throw failed(e.status().message());
      }
      if (back.equals(object)) {
        return false;
      }
      object.removeAll();
      object.setAll(back);
      return true;
    }

    /** Whether it is only what a subresource shows, or is created by: nobody would take it back. */
    private boolean isOfPart(ObjectNode object) {
      return world.part(request, object) != null
          || (request.operation() == Operation.CREATE && !request.subresource().isEmpty());
    }

    /** What an object is called and is, is not a webhook's to change. */
    private static void checkPlace(Hook hook, ObjectNode seen, ObjectNode next) {
      boolean renamed = !Meta.name(seen).isEmpty() && !Meta.name(seen).equals(Meta.name(next));
      if (renamed
          || !Meta.namespace(seen).equals(Meta.namespace(next))
          || !seen.path("apiVersion").equals(next.path("apiVersion"))
          || !seen.path("kind").equals(next.path("kind"))) {
        throw Status.badRequest(
                "admission webhook "
                    + GoText.quoted(hook.name())
                    + " attempted to change apiVersion, kind, metadata.name or metadata.namespace")
            .asException();
      }
    }

    private static ApiException failed(String why) {
      return Status.internal(why).asException();
    }
  }
}

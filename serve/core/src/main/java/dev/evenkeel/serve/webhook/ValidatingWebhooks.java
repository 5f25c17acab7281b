package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.policy.Selection;
import dev.evenkeel.serve.policy.World;
import java.util.ArrayList;
import java.util.List;

/** Has a write judged by the webhooks that may be about it, by all at the same time. */
final class ValidatingWebhooks implements AdmissionPlugin {

  private static final String PREFIX = "validating.webhook.admission.k8s.io/round_0_index_";

  private final Webhooks webhooks;
  private final World world;
  private final List<Hook> hooks;
  private final Answers answers;

  ValidatingWebhooks(Webhooks webhooks, World world, List<Hook> hooks, Answers answers) {
    this.webhooks = webhooks;
    this.world = world;
    this.hooks = hooks;
    this.answers = answers;
  }

  @Override
  public String name() {
    return "ValidatingAdmissionWebhook";
  }

  @Override
  public boolean mayTakeLong() {
    return true;
  }

  @Override
  public void validate(AdmissionRequest request) {
    var selection = new Selection(world, request);
    List<Review> questions = new ArrayList<>(hooks.size());
    for (Hook hook : hooks) {
      ResourceDefinition kind = Outcomes.version(hook, selection, request);
      if (kind != null) {
        questions.add(Review.of(world, request, selection.asked(), kind, hook));
      }
    }
    List<Outcome> outcomes =
        answers.of(
            questions,
            question -> webhooks.ask(question.hook(), question, request, answers.left()));
    ApiException first = null;
    for (int i = 0; i < outcomes.size(); i++) {
      Hook hook = questions.get(i).hook();
      Outcomes.remark(hook, request, outcomes.get(i));
      ApiException refusal = Outcomes.refusal(hook, request, outcomes.get(i), PREFIX + i);
      first = first == null ? refusal : first;
    }
    if (first != null) {
      throw first;
    }
  }
}

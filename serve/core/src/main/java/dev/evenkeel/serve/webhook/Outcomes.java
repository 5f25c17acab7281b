package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.policy.Selection;
import org.jspecify.annotations.Nullable;

/** What follows from a webhook's answer for the write. */
final class Outcomes {

  private Outcomes() {}

  static String text(Throwable failure) {
    return failure instanceof Outside.CallException
        ? String.valueOf(failure.getMessage())
        : failure.toString();
  }

  /**
   * The version in which a webhook is to see the write as it is now; null if it is not about it.
   * Throws if that cannot be said, or if the webhook may not be called for what is only tried.
   */
  static @Nullable ResourceDefinition version(
      Hook hook, Selection selection, AdmissionRequest request) {
    ResourceDefinition kind = selection.version(hook.matching());
    if (kind == null) {
      return null;
    }
    String failure = hook.matching().failure();
    String refusal =
        failure.isEmpty()
            ? selection.refusalOfConditions(hook.matching(), kind)
            : hook.ignoresFailures() ? "" : failure;
    if (refusal != null) {
      if (refusal.isEmpty()) {
        return null;
      }
      throw request.forbidden(refusal);
    }
    if (request.dryRun() && !hook.bearsDryRuns()) {
      throw Status.badRequest(
              "admission webhook " + GoText.quoted(hook.name()) + " does not support dry run")
          .asException();
    }
    return kind;
  }

  /** Says what a webhook said beside its answer. */
  static void remark(Hook hook, AdmissionRequest request, Outcome outcome) {
    Outcome.Remarks remarks =
        switch (outcome) {
          case Outcome.Allowed allowed -> allowed.remarks();
          case Outcome.Denied denied -> denied.remarks();
          case Outcome.Failed _ -> Outcome.Remarks.NONE;
        };
    remarks.warnings().forEach(request.warnings());
    remarks
        .annotations()
        .forEach((key, value) -> request.annotations().accept(hook.name() + "/" + key, value));
  }

  /**
   * The refusal that follows from an answer; null if the write may pass.
   *
   * @param openKey what the audit log calls it that the write passed without an answer
   */
  static @Nullable ApiException refusal(
      Hook hook, AdmissionRequest request, Outcome outcome, String openKey) {
    return switch (outcome) {
      case Outcome.Allowed _ -> null;
      case Outcome.Denied denied -> denied.status().asException();
      case Outcome.Failed _ when hook.ignoresFailures() -> {
        request.annotations().accept("failed-open." + openKey, hook.name());
        yield null;
      }
      case Outcome.Failed failed ->
          Status.internal(
                  "failed calling webhook " + GoText.quoted(hook.name()) + ": " + failed.why())
              .asException();
    };
  }
}

package dev.evenkeel.serve.cel;

import dev.evenkeel.serve.cel.value.AccessDecider;
import org.jspecify.annotations.Nullable;

/** Puts the checks that expressions make to a {@link CelAuthorizer}. */
record AuthorizerDecider(CelAuthorizer authorizer) implements AccessDecider {

  @Override
  public Decision decide(Check check, String verb) {
    CelAuthorizer.Decision decision = authorizer.decide(question(check, verb));
    return new Decision(
        decision.allowed(),
        decision.reason(),
        decision.error() == null ? "" : decision.error(),
        decision.error() != null);
  }

  /** The check that asks such a question, whatever its verb and version. */
  AccessDecider.ResourceCheck check(CelAuthorizer.Question question) {
    CelAuthorizer.User user = question.user();
    return new AccessDecider.ResourceCheck(
        new AccessDecider.Authorizer(
            this, user == null ? null : new AccessDecider.Principal(user.name(), user.groups())),
        question.group(),
        question.resource(),
        question.subresource(),
        question.namespace(),
        question.name(),
        question.labelSelector(),
        question.fieldSelector());
  }

  private static CelAuthorizer.Question question(Check check, String verb) {
    return switch (check) {
      case PathCheck path ->
          new CelAuthorizer.Question(
              user(path.authorizer()), verb, path.path(), "", "", "", "", "", "", "", "");
      case ResourceCheck resource ->
          new CelAuthorizer.Question(
              user(resource.authorizer()),
              verb,
              "",
              resource.group(),
              CelAuthorizer.ANY_VERSION,
              resource.resource(),
              resource.subresource(),
              resource.namespace(),
              resource.name(),
              resource.labelSelector(),
              resource.fieldSelector());
    };
  }

  private static CelAuthorizer.@Nullable User user(AccessDecider.Authorizer authorizer) {
    Principal user = authorizer.user();
    return user == null ? null : new CelAuthorizer.User(user.name(), user.groups());
  }
}

package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.caller.Authentication;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.caller.TokenFinding;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.rights.Rights;
import dev.evenkeel.serve.rights.Rule;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kinds that are questions: who am I, may I do this, whose token is this. Nothing is stored; the
 * answer is in the status.
 */
final class Reviews {

  private final Rights rights;
  private final Authentication authentication;
  private final Clock clock;

  Reviews(Rights rights, Authentication authentication, Clock clock) {
    this.rights = rights;
    this.authentication = authentication;
    this.clock = clock;
  }

  static boolean isReview(Served served) {
    return served.group().equals("authentication.k8s.io")
        || served.group().equals("authorization.k8s.io");
  }

  CompletableFuture<ApiResponse> create(Call call, Served served) {
    ObjectNode review = Decoding.object(call, served.definition());
    ReviewRules.validate(review, served.gvk().kind(), call.target().namespace());
    JsonNode spec = review.path("spec");
    if (served.gvk().kind().startsWith("SelfSubjectR")) {
      // About whoever asks, and nothing else.
      review.remove("spec");
      review.putObject("metadata");
    }
    ObjectNode status = review.putObject("status");
    switch (served.gvk().kind()) {
      case "SelfSubjectReview" -> {
        Meta.of(review).put("creationTimestamp", WireTime.seconds(clock.now()));
        user(status.putObject("userInfo"), call.caller());
      }
      case "SelfSubjectAccessReview" -> {
        return access(call, review, status, AccessQuestion.of(spec, call.caller()));
      }
      case "SubjectAccessReview", "LocalSubjectAccessReview" -> {
        var subject =
            new Caller(Meta.text(spec.path("user")), ObjectRules.texts(spec.path("groups")));
        return access(call, review, status, AccessQuestion.of(spec, subject));
      }
      case "SelfSubjectRulesReview" -> {
        review.putObject("spec");
        String namespace = Meta.text(spec.path("namespace"));
        return rights
            .newest()
            .thenApply(_ -> rules(status, rights.rules(call.caller(), namespace)))
            .thenApply(_ -> answer(call, review));
      }
      case "TokenReview" -> {
        List<String> given = ObjectRules.texts(spec.path("audiences"));
        return authentication
            .find(
                Meta.text(spec.path("token")), given.isEmpty() ? authentication.audiences() : given)
            .thenApply(
                finding -> {
                  token(status, finding);
                  return answer(call, review);
                });
      }
      default -> throw Status.noSuchPath().asException();
    }
    return CompletableFuture.completedFuture(answer(call, review));
  }

  private static void token(ObjectNode status, TokenFinding finding) {
    switch (finding) {
      case TokenFinding.Accepted(var caller, var audiences) -> {
        status.put("authenticated", true);
        user(status.putObject("user"), caller);
        if (!audiences.isEmpty()) {
          audiences.forEach(status.putArray("audiences")::add);
        }
      }
      case TokenFinding.Refused(var why, var _) ->
          status.put("authenticated", false).put("error", "[invalid bearer token, " + why + "]");
      case TokenFinding.Unknown _ ->
          status.put("authenticated", false).put("error", "invalid bearer token");
    }
  }

  private static ApiResponse answer(Call call, ObjectNode review) {
    return call.answer(201, Json.encode(review));
  }

  private static void user(ObjectNode info, Caller caller) {
    info.put("username", caller.name());
    if (!caller.uid().isEmpty()) {
      info.put("uid", caller.uid());
    }
    ArrayNode groups = info.putArray("groups");
    caller.groups().forEach(groups::add);
    if (!caller.extra().isEmpty()) {
      ObjectNode extra = info.putObject("extra");
      caller.extra().forEach((key, values) -> values.forEach(extra.putArray(key)::add));
    }
  }

  private CompletableFuture<ApiResponse> access(
      Call call, ObjectNode review, ObjectNode status, AccessQuestion question) {
    return rights
        .decideOnNewest(question.attributes())
        .thenApply(
            verdict -> {
              status.put("allowed", verdict.isAllowed());
              if (verdict.isDenied()) {
                status.put("denied", true);
              }
              if (!verdict.reason().isEmpty()) {
                status.put("reason", verdict.reason());
              }
              if (!question.faults().isEmpty()) {
                status.put("evaluationError", String.join("; ", question.faults()));
              }
              return answer(call, review);
            });
  }

  private static ObjectNode rules(ObjectNode status, Rights.Allowed allowed) {
    ArrayNode resources = status.putArray("resourceRules");
    ArrayNode others = status.putArray("nonResourceRules");
    for (JsonNode rule : Rule.toJson(allowed.rules())) {
      if (rule instanceof ObjectNode whole && whole.has("resources")) {
        ObjectNode part = whole.deepCopy();
        part.remove("nonResourceURLs");
        resources.add(part);
      }
      if (rule.has("nonResourceURLs")) {
        ObjectNode part = others.addObject();
        part.set("verbs", rule.path("verbs"));
        part.set("nonResourceURLs", rule.path("nonResourceURLs"));
      }
    }
    if (!allowed.fault().isEmpty()) {
      status.put("evaluationError", allowed.fault());
    }
    return status.put("incomplete", false);
  }
}

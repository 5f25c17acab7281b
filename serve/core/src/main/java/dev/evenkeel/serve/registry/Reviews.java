package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.caller.Access;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.resource.Served;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kinds that are questions: who am I, may I do this, whose token is this. Nothing is stored; the
 * answer is in the status.
 */
final class Reviews {

  private final Function<String, @Nullable Caller> callerOfToken;
  private final Clock clock;

  Reviews(Function<String, @Nullable Caller> callerOfToken, Clock clock) {
    this.callerOfToken = callerOfToken;
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
      case "SelfSubjectAccessReview" -> access(status, call.caller().groups());
      case "SubjectAccessReview", "LocalSubjectAccessReview" ->
          access(status, ObjectRules.texts(spec.path("groups")));
      case "SelfSubjectRulesReview" -> {
        review.putObject("spec");
        rules(status, call.caller());
      }
      case "TokenReview" -> {
        Caller caller = callerOfToken.apply(Meta.text(spec.path("token")));
        if (caller == null) {
          status.put("authenticated", false).put("error", "invalid bearer token");
        } else {
          status.put("authenticated", true);
          user(status.putObject("user"), caller);
        }
      }
      default -> throw Status.noSuchPath().asException();
    }
    return CompletableFuture.completedFuture(call.answer(201, Json.encode(review)));
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

  private static void access(ObjectNode status, List<String> groups) {
    status.put("allowed", Access.isAllowed(groups));
  }

  private static void rules(ObjectNode status, Caller caller) {
    ArrayNode resources = status.putArray("resourceRules");
    ArrayNode others = status.putArray("nonResourceRules");
    if (Access.isAllowed(caller.groups())) {
      ObjectNode all = resources.addObject();
      all.putArray("verbs").add("*");
      all.putArray("apiGroups").add("*");
      all.putArray("resources").add("*");
      ObjectNode rest = others.addObject();
      rest.putArray("verbs").add("*");
      rest.putArray("nonResourceURLs").add("*");
    }
    status.put("incomplete", false);
  }
}

package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.policy.Asked;
import dev.evenkeel.serve.policy.World;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An AdmissionReview: the question of a write, and what an answer to it must look like. */
final class Review {

  private static final String GROUP = "admission.k8s.io/";

  /** An annotation that is longer is cut: the audit log is for people. */
  private static final int ANNOTATION_CHARS_MAX = 10 * 1024;

  private static final int ANNOTATIONS_MAX = 50;
  private static final int WARNINGS_MAX = 100;
  private static final int MESSAGE_CHARS_MAX = 64 * 1024;

  private final Hook hook;
  private final ObjectNode question;

  private Review(Hook hook, ObjectNode question) {
    this.hook = hook;
    this.question = question;
  }

  /**
   * Asks about a write as it is now.
   *
   * @param kind the version that the webhook's rules name
   */
  static Review of(
      World world, AdmissionRequest request, Asked asked, ResourceDefinition kind, Hook hook) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    Gvk spoken = world.partKind(request);
    boolean whole = spoken.equals(request.definition().gvk());
    kindTree(tree.putObject("kind"), whole ? kind.gvk() : spoken);
    resourceTree(tree.putObject("resource"), kind);
    unlessEmpty(tree, "subResource", request.subresource());
    kindTree(tree.putObject("requestKind"), spoken);
    resourceTree(tree.putObject("requestResource"), request.definition());
    unlessEmpty(tree, "requestSubResource", request.subresource());
    unlessEmpty(tree, "name", asked.name());
    unlessEmpty(tree, "namespace", asked.namespace());
    tree.put("operation", request.operation().name());
    user(tree.putObject("userInfo"), request.user());
    tree.set("object", seen(world, request, kind, request.object()));
    tree.set("oldObject", seen(world, request, kind, request.old()));
    tree.put("dryRun", request.dryRun());
    tree.set("options", request.options());
    return new Review(hook, tree);
  }

  private static JsonNode seen(
      World world, AdmissionRequest request, ResourceDefinition kind, @Nullable ObjectNode object) {
    if (object == null) {
      return JsonNodeFactory.instance.nullNode();
    }
    ObjectNode part = world.part(request, object);
    if (part != null) {
      return part;
    }
    ObjectNode converted = world.converted(request.definition(), kind, object);
    if (converted.has("kind") && converted.has("apiVersion")) {
      return converted;
    }
    ObjectNode named = JsonNodeFactory.instance.objectNode();
    Gvk gvk = world.partKind(request);
    named.put("apiVersion", gvk.apiVersion()).put("kind", gvk.kind());
    named.setAll(converted);
    return named;
  }

  private static void user(ObjectNode tree, AdmissionRequest.User user) {
    unlessEmpty(tree, "username", user.name());
    unlessEmpty(tree, "uid", user.uid());
    if (!user.groups().isEmpty()) {
      ArrayNode groups = tree.putArray("groups");
      user.groups().forEach(groups::add);
    }
    if (!user.extra().isEmpty()) {
      ObjectNode extra = tree.putObject("extra");
      user.extra().forEach((key, texts) -> texts.forEach(extra.withArray(key)::add));
    }
  }

  private static void kindTree(ObjectNode tree, Gvk gvk) {
    tree.put("group", gvk.group()).put("version", gvk.version()).put("kind", gvk.kind());
  }

  private static void resourceTree(ObjectNode tree, ResourceDefinition definition) {
    tree.put("group", definition.group())
        .put("version", definition.gvk().version())
        .put("resource", definition.plural());
  }

  private static void unlessEmpty(ObjectNode tree, String field, String text) {
    if (!text.isEmpty()) {
      tree.put(field, text);
    }
  }

  /** Who is asked. */
  Hook hook() {
    return hook;
  }

  /**
   * Tells this question from others. Who owns which field is no part of it: that carries the time
   * at which the write was last decided.
   */
  String digest() {
    ObjectNode plain = JsonNodeFactory.instance.objectNode();
    plain.setAll(question);
    plain.set("object", withoutOwners(question.path("object")));
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(hook.identity().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(Json.encode(plain)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static JsonNode withoutOwners(JsonNode object) {
    if (!(object instanceof ObjectNode whole)
        || !(whole.get("metadata") instanceof ObjectNode given)
        || !given.has("managedFields")) {
      return object;
    }
    ObjectNode metadata = JsonNodeFactory.instance.objectNode();
    metadata.setAll(given);
    metadata.remove("managedFields");
    ObjectNode plain = JsonNodeFactory.instance.objectNode();
    plain.setAll(whole);
    plain.set("metadata", metadata);
    return plain;
  }

  /** The question as it is sent. */
  byte[] body(String uid) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.put("uid", uid);
    request.setAll(question);
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("kind", "AdmissionReview").put("apiVersion", GROUP + hook.reviewVersion());
    review.set("request", request);
    return Json.encode(review);
  }

  // ---- the answer

  /** What an answer with that status and body says. */
  Outcome outcome(String uid, Outside.Answer answer) {
    if (answer.status() < 200 || answer.status() > 299) {
      return new Outcome.Failed("failed to call webhook: " + refusal(answer), answer.status());
    }
    JsonNode tree;
    try {
      tree = Json.parse(answer.body());
    } catch (RuntimeException e) {
      return new Outcome.Failed(
          "failed to call webhook: the answer is no JSON: " + e.getMessage(), 503);
    }
    String fault = fault(uid, tree);
    if (!fault.isEmpty()) {
      return new Outcome.Failed("received invalid webhook response: " + fault, 503);
    }
    JsonNode response = tree.path("response");
    Outcome.Remarks remarks = remarks(response);
    if (!response.path("allowed").asBoolean(false)) {
      return new Outcome.Denied(denial(response.path("status")), remarks);
    }
    String patch = hook.changes() ? Meta.text(response.path("patch")) : "";
    if (patch.isEmpty()) {
      return new Outcome.Allowed(null, remarks);
    }
    return patched(response, patch, remarks);
  }

  private Outcome patched(JsonNode response, String patch, Outcome.Remarks remarks) {
    String type = Meta.text(response.path("patchType"));
    JsonNode steps;
    try {
      steps = Json.parse(Base64.getDecoder().decode(patch));
    } catch (RuntimeException e) {
      return new Outcome.Failed(
          "received undecodable patch in webhook response: " + e.getMessage(), 503);
    }
    if (!steps.isArray() && !steps.isNull()) {
      return new Outcome.Failed(
          "received undecodable patch in webhook response: it is no list of operations", 503);
    }
    if (hook.reviewVersion().equals("v1") && !type.equals("JSONPatch") && !steps.isEmpty()) {
      return new Outcome.Failed("unsupported patch type " + GoText.quoted(type), 400);
    }
    return new Outcome.Allowed(steps.isEmpty() ? null : steps, remarks);
  }

  private static String refusal(Outside.Answer answer) {
    int status = answer.status();
    if (status >= 300 && status < 400) {
      return "the server answered with a redirect (" + status + "), which is not followed";
    }
    if (status == 404) {
      return "the server could not find the requested resource";
    }
    String said = new String(answer.body(), StandardCharsets.UTF_8).strip();
    String cut = said.length() <= 2_048 ? said : said.substring(0, 2_048);
    return status >= 500
        ? "an error on the server ("
            + GoText.quoted(cut.isEmpty() ? "unknown" : cut)
            + ") has prevented the request from succeeding"
        : "the server rejected our request for an unknown reason (" + status + ")";
  }

  /** What is wrong with the form of an answer; empty if nothing is. */
  private String fault(String uid, JsonNode tree) {
    JsonNode response = tree.path("response");
    if (!response.isObject()) {
      return "webhook response was absent";
    }
    if (!hook.reviewVersion().equals("v1")) {
      return "";
    }
    String answered = Meta.text(response.path("uid"));
    if (!answered.equals(uid)) {
      return "expected response.uid=%s, got %s"
          .formatted(GoText.quoted(uid), GoText.quoted(answered));
    }
    String version = Meta.text(tree.path("apiVersion"));
    String kind = Meta.text(tree.path("kind"));
    if (!version.equals(GROUP + "v1") || !kind.equals("AdmissionReview")) {
      return "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got "
          + version
          + ", Kind="
          + kind;
    }
    boolean patch = !Meta.text(response.path("patch")).isEmpty();
    boolean typed = !response.path("patchType").isMissingNode();
    typed &= !response.path("patchType").isNull();
    if (!hook.changes()) {
      return patch
          ? "validating webhook may not return response.patch"
          : typed ? "validating webhook may not return response.patchType" : "";
    }
    if (patch && !typed) {
      return "webhook returned response.patch but not response.patchType";
    }
    return !patch && typed ? "webhook returned response.patchType but not response.patch" : "";
  }

  private static Outcome.Remarks remarks(JsonNode response) {
    List<String> warnings = new ArrayList<>(0);
    for (JsonNode warning : response.path("warnings")) {
      if (warnings.size() < WARNINGS_MAX) {
        warnings.add(Meta.text(warning));
      }
    }
    Map<String, String> annotations = new LinkedHashMap<>();
    Meta.strings(response.path("auditAnnotations"))
        .forEach(
            (key, value) -> {
              if (annotations.size() < ANNOTATIONS_MAX) {
                annotations.put(
                    key, value.substring(0, Math.min(value.length(), ANNOTATION_CHARS_MAX)));
              }
            });
    return new Outcome.Remarks(warnings, annotations);
  }

  private Status denial(JsonNode status) {
    String deniedBy = "admission webhook " + GoText.quoted(hook.name()) + " denied the request";
    String message = Meta.text(status.path("message"));
    String reason = Meta.text(status.path("reason"));
    String said =
        message.length() <= MESSAGE_CHARS_MAX ? message : message.substring(0, MESSAGE_CHARS_MAX);
    String text =
        !said.isEmpty()
            ? deniedBy + ": " + said
            : !reason.isEmpty() ? deniedBy + ": " + reason : deniedBy + " without explanation";
    int code = status.path("code").asInt(0);
    return new Status(
        code < 400 || code > 599 ? 400 : code, reason, text, details(status.path("details")), null);
  }

  private static Status.@Nullable Details details(JsonNode written) {
    if (!written.isObject()) {
      return null;
    }
    List<Status.Cause> causes = new ArrayList<>(0);
    for (JsonNode cause : written.path("causes")) {
      causes.add(
          new Status.Cause(
              Meta.text(cause.path("reason")),
              Meta.text(cause.path("message")),
              Meta.text(cause.path("field"))));
    }
    return new Status.Details(
        Meta.text(written.path("name")),
        Meta.text(written.path("group")),
        Meta.text(written.path("kind")),
        Meta.text(written.path("uid")),
        causes,
        Math.max(0, written.path("retryAfterSeconds").asInt(0)));
  }
}

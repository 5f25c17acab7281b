package dev.evenkeel.serve.kinds.policy;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cel.CelEnvironment;
import dev.evenkeel.serve.cel.CelProgram;
import dev.evenkeel.serve.cel.CelSchema;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The variables that expressions of policies may use.
 *
 * @param parameters whether the policy has parameters
 * @param mutates whether it may make objects and patches
 * @param object what is known of the object; null for nothing
 * @param parameterType what is known of the parameters; null for nothing
 */
record PolicyWords(
    boolean parameters,
    boolean mutates,
    @Nullable CelSchema object,
    @Nullable CelSchema parameterType) {

  static final String REQUEST = "request";
  static final String VARIABLES = "variables";

  private static final CelSchema REQUEST_TYPE =
      type(
          "kubernetes.AdmissionRequest",
          """
          {"type": "object", "properties": {
            "kind": KIND, "resource": RESOURCE, "subResource": TEXT,
            "requestKind": KIND, "requestResource": RESOURCE, "requestSubResource": TEXT,
            "name": TEXT, "namespace": TEXT, "operation": TEXT,
            "userInfo": {"type": "object", "properties": {
              "username": TEXT, "uid": TEXT, "groups": TEXTS,
              "extra": {"type": "object", "additionalProperties": TEXTS}}},
            "dryRun": {"type": "boolean"},
            "options": {"x-kubernetes-int-or-string": true}}}
          """);

  private static final CelSchema NAMESPACE_TYPE =
      type(
          "kubernetes.Namespace",
          """
          {"type": "object", "properties": {
            "metadata": {"type": "object", "properties": {
              "name": TEXT, "generateName": TEXT, "namespace": TEXT, "labels": MAP,
              "annotations": MAP, "UID": TEXT, "creationTimestamp": TIME,
              "deletionGracePeriodSeconds": NUMBER, "deletionTimestamp": TIME,
              "generation": NUMBER, "resourceVersion": TEXT, "finalizers": TEXTS}},
            "spec": {"type": "object", "properties": {"finalizers": TEXTS}},
            "status": {"type": "object", "properties": {
              "phase": TEXT,
              "conditions": {"type": "array", "items": {"type": "object", "properties": {
                "status": TEXT, "type": TEXT, "lastTransitionTime": TIME, "message": TEXT,
                "reason": TEXT}}}}}}}
          """);

  private static CelSchema type(String name, String text) {
    String json =
        text.replace("KIND", names("kind"))
            .replace("RESOURCE", names("resource"))
            .replace("TEXTS", "{\"type\": \"array\", \"items\": TEXT}")
            .replace("MAP", "{\"type\": \"object\", \"additionalProperties\": TEXT}")
            .replace("TEXT", "{\"type\": \"string\"}")
            .replace("TIME", "{\"type\": \"string\", \"format\": \"date-time\"}")
            .replace("NUMBER", "{\"type\": \"integer\"}");
    return CelSchema.ofPlainNames(Json.parseObject(json.getBytes(StandardCharsets.UTF_8)), name);
  }

  private static String names(String last) {
    return "{\"type\": \"object\", \"properties\": {\"group\": TEXT, \"version\": TEXT, \""
        + last
        + "\": TEXT}}";
  }

  /**
   * What an expression can be compiled with.
   *
   * @param authorizer whether it may ask who may do what
   * @param variables what the policy's own variables are, to which more may be added; null where
   *     there are none to see
   */
  CelEnvironment environment(boolean authorizer, @Nullable Map<String, CelProgram> variables) {
    CelEnvironment.Builder builder = CelEnvironment.builder();
    if (object == null) {
      builder.variable("object").variable("oldObject");
    } else {
      builder.variable("object", object).variable("oldObject", object);
    }
    builder.variable(REQUEST, REQUEST_TYPE).variable("namespaceObject", NAMESPACE_TYPE);
    if (parameters && parameterType == null) {
      builder.variable("params");
    } else if (parameters) {
      builder.variable("params", Objects.requireNonNull(parameterType));
    }
    if (authorizer) {
      builder.authorizer("authorizer").resourceCheck("authorizer.requestResource");
    }
    if (mutates) {
      builder.mutation();
    }
    if (variables != null) {
      builder.object(VARIABLES, variables);
    }
    return builder.build();
  }
}

package dev.evenkeel.serve.kinds.policy;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.cel.CelEnvironment;
import dev.evenkeel.serve.cel.CelException;
import dev.evenkeel.serve.cel.CelProgram;
import dev.evenkeel.serve.cel.CelResultType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compiles the expressions of a policy. Used once. */
public final class PolicyReader {

  private final JsonNode spec;
  private final PolicyWords words;
  private final Problems problems;
  private final Map<String, CelProgram> variables = new LinkedHashMap<>();
  private @Nullable CelEnvironment asking;
  private @Nullable CelEnvironment telling;

  private PolicyReader(JsonNode spec, PolicyWords words, Problems problems) {
    this.spec = spec;
    this.words = words;
    this.problems = problems;
  }

  /**
   * Reads a policy of either kind.
   *
   * @param problems gets what cannot be compiled; that is left out of the policy, which says so
   */
  public static Policy read(ObjectNode policy, Problems problems) {
    JsonNode spec = policy.path("spec");
    boolean mutates = spec.has("mutations");
    var words = new PolicyWords(spec.path("paramKind").isObject(), mutates, null, null);
    return new PolicyReader(spec, words, problems).policy(Meta.name(policy));
  }

  private Policy policy(String name) {
    int before = problems.count();
    List<Policy.Condition> conditions =
        conditions(spec.path("matchConditions"), "spec.matchConditions");
    List<Policy.Variable> made = variables();
    List<Policy.Check> validations = validations();
    List<Policy.Annotation> annotations = annotations();
    List<Policy.Mutation> mutations = mutations();
    String failure =
        problems.count() == before
            ? ""
            : "compilation error: " + problems.errors().get(before).message();
    return new Policy(
        name,
        Meta.text(spec.path("failurePolicy")).equals("Ignore"),
        parameters(spec.path("paramKind")),
        Matching.read(spec.path("matchConstraints")),
        conditions,
        made,
        validations,
        annotations,
        mutations,
        Meta.text(spec.path("reinvocationPolicy")).equals("IfNeeded"),
        failure);
  }

  static @Nullable Gvk parameters(JsonNode kind) {
    return kind.isObject()
        ? Gvk.of(Meta.text(kind.path("apiVersion")), Meta.text(kind.path("kind")))
        : null;
  }

  private static String expected(CelResultType expected) {
    return expected == CelResultType.STRING_OR_NULL
        ? "one of [string null_type]"
        : expected.shown();
  }

  /**
   * Compiles the conditions under which a webhook is called.
   *
   * @param path where they stand
   * @param problems gets what cannot be compiled
   */
  public static void checkConditions(JsonNode conditions, String path, Problems problems) {
    var words = new PolicyWords(false, false, null, null);
    var _ = new PolicyReader(conditions, words, problems).conditions(conditions, path);
  }

  /** What says which writes a webhook is called for: a policy that judges nothing itself. */
  public static Policy ofWebhook(JsonNode hook) {
    var problems = new Problems();
    var words = new PolicyWords(false, false, null, null);
    JsonNode written = hook.path("matchConditions");
    List<Policy.Condition> conditions =
        new PolicyReader(hook, words, problems).conditions(written, "matchConditions");
    return new Policy(
        Meta.text(hook.path("name")),
        Meta.text(hook.path("failurePolicy")).equals("Ignore"),
        null,
        Matching.ofWebhook(hook),
        conditions,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Meta.text(hook.path("reinvocationPolicy")).equals("IfNeeded"),
        problems.isEmpty() ? "" : "compilation error: " + problems.errors().getFirst().message());
  }

  private List<Policy.Condition> conditions(JsonNode written, String path) {
    List<Policy.Condition> conditions = new ArrayList<>(written.size());
    CelEnvironment environment = written.isEmpty() ? null : words.environment(true, null);
    for (int i = 0; i < written.size(); i++) {
      String expression = Meta.text(written.path(i).path("expression")).strip();
      CelProgram program =
          environment == null
              ? null
              : compiled(
                  environment, expression, CelResultType.BOOL, path + "[" + i + "].expression");
      if (program != null) {
        conditions.add(new Policy.Condition(Meta.text(written.path(i).path("name")), program));
      }
    }
    return conditions;
  }

  private List<Policy.Variable> variables() {
    JsonNode written = spec.path("variables");
    List<Policy.Variable> made = new ArrayList<>(written.size());
    for (int i = 0; i < written.size(); i++) {
      String name = Meta.text(written.path(i).path("name"));
      CelProgram program =
          compiled(
              asking(),
              Meta.text(written.path(i).path("expression")),
              CelResultType.ANY,
              "spec.variables[" + i + "].expression");
      if (program != null) {
        variables.put(name, program);
        made.add(new Policy.Variable(name, program));
      }
    }
    return made;
  }

  /** For expressions that may ask who may do what, and see the variables so far. */
  private CelEnvironment asking() {
    CelEnvironment made = asking;
    if (made == null) {
      made = words.environment(true, named());
      asking = made;
    }
    return made;
  }

  /** Null where the policy has no variables: then nothing is called that. */
  private @Nullable Map<String, CelProgram> named() {
    return spec.path("variables").isEmpty() ? null : variables;
  }

  /** For those that make messages. */
  private CelEnvironment telling() {
    CelEnvironment made = telling;
    if (made == null) {
      made = words.environment(false, named());
      telling = made;
    }
    return made;
  }

  private List<Policy.Check> validations() {
    JsonNode written = spec.path("validations");
    List<Policy.Check> checks = new ArrayList<>(written.size());
    for (int i = 0; i < written.size(); i++) {
      JsonNode check = written.path(i);
      String path = "spec.validations[" + i + "]";
      CelProgram program =
          compiled(
              asking(),
              Meta.text(check.path("expression")),
              CelResultType.BOOL,
              path + ".expression");
      String message = Meta.text(check.path("messageExpression"));
      CelProgram messageProgram =
          message.isBlank()
              ? null
              : compiled(telling(), message, CelResultType.STRING, path + ".messageExpression");
      String reason = Meta.text(check.path("reason"));
      if (program != null) {
        checks.add(
            new Policy.Check(
                program,
                Meta.text(check.path("message")).strip(),
                messageProgram,
                reason.isEmpty() ? "Invalid" : reason));
      }
    }
    return checks;
  }

  private List<Policy.Annotation> annotations() {
    JsonNode written = spec.path("auditAnnotations");
    List<Policy.Annotation> annotations = new ArrayList<>(written.size());
    for (int i = 0; i < written.size(); i++) {
      CelProgram program =
          compiled(
              asking(),
              Meta.text(written.path(i).path("valueExpression")).strip(),
              CelResultType.STRING_OR_NULL,
              "spec.auditAnnotations[" + i + "].valueExpression");
      if (program != null) {
        annotations.add(new Policy.Annotation(Meta.text(written.path(i).path("key")), program));
      }
    }
    return annotations;
  }

  private List<Policy.Mutation> mutations() {
    JsonNode written = spec.path("mutations");
    List<Policy.Mutation> mutations = new ArrayList<>(written.size());
    for (int i = 0; i < written.size(); i++) {
      boolean configuration =
          Meta.text(written.path(i).path("patchType")).equals("ApplyConfiguration");
      String field = configuration ? "applyConfiguration" : "jsonPatch";
      CelProgram program =
          compiled(
              asking(),
              Meta.text(written.path(i).path(field).path("expression")),
              configuration ? CelResultType.MUTATION : CelResultType.PATCHES,
              "spec.mutations[" + i + "]." + field + ".expression");
      if (program != null) {
        mutations.add(
            new Policy.Mutation(
                configuration ? Policy.Mutation.Form.CONFIGURATION : Policy.Mutation.Form.PATCHES,
                program));
      }
    }
    return mutations;
  }

  /** Null if it cannot be, which is a problem; or if there is nothing, which is another's. */
  private @Nullable CelProgram compiled(
      CelEnvironment environment, String expression, CelResultType expected, String path) {
    if (expression.isBlank()) {
      return null;
    }
    try {
      return environment.compile(expression, expected);
    } catch (CelException e) {
      problems.invalid(
          path,
          expression,
          e.isOfResultType()
              ? "must evaluate to " + expected(expected) + " but got " + e.resultType()
              : "compilation failed: " + e.text());
      return null;
    }
  }
}

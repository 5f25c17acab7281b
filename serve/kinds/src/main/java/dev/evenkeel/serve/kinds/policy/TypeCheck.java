package dev.evenkeel.serve.kinds.policy;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.cel.CelEnvironment;
import dev.evenkeel.serve.cel.CelException;
import dev.evenkeel.serve.cel.CelProgram;
import dev.evenkeel.serve.cel.CelResultType;
import dev.evenkeel.serve.cel.CelSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds a policy's expressions against the types of what they will see. What it finds are warnings:
 * at run time an expression sees whatever there is.
 */
public final class TypeCheck {

  private static final int KINDS_MAX = 10;

  private static final Comparator<Gvk> ORDER =
      Comparator.comparing(Gvk::group).thenComparing(Gvk::version).thenComparing(Gvk::kind);

  /** What an expression asks for and its data cannot have. */
  public record Warning(String field, String text) {}

  /** What is served. */
  public interface Kinds {

    /** The kind at a path; null if there is none. */
    @Nullable Gvk at(String group, String version, String plural);

    Schema.@Nullable Struct schema(Gvk gvk);
  }

  private final JsonNode spec;
  private final List<Checked> against = new ArrayList<>();

  /** One kind, with what its expressions can be compiled with. */
  private record Checked(Gvk kind, CelEnvironment asking, CelEnvironment telling) {}

  private TypeCheck(JsonNode spec) {
    this.spec = spec;
  }

  public static List<Warning> of(ObjectNode policy, Kinds kinds) {
    var check = new TypeCheck(policy.path("spec"));
    Gvk parameters = PolicyReader.parameters(check.spec.path("paramKind"));
    CelSchema parameterType = parameters == null ? null : type(parameters, kinds, "Params");
    for (Gvk kind : check.kinds(kinds)) {
      CelSchema type = type(kind, kinds, kind.kind());
      if (type != null) {
        check.against(kind, new PolicyWords(parameters != null, false, type, parameterType));
      }
    }
    return check.warnings();
  }

  /** Those that rules name; what they mean by a star could be anything. */
  private Set<Gvk> kinds(Kinds kinds) {
    var found = new TreeSet<Gvk>(ORDER);
    for (ResourceRule rule : Matching.read(spec.path("matchConstraints")).rules()) {
      if (!rule.namesKinds()) {
        continue;
      }
      for (String group : rule.groups()) {
        for (String version : rule.versions()) {
          for (String plural : rule.resources()) {
            boolean whole = plural.indexOf('*') < 0 && plural.indexOf('/') < 0;
            Gvk kind = whole ? kinds.at(group, version, plural) : null;
            if (kind != null && found.size() < KINDS_MAX) {
              found.add(kind);
            }
          }
        }
      }
    }
    return found;
  }

  private static @Nullable CelSchema type(Gvk gvk, Kinds kinds, String name) {
    Schema.Struct schema = kinds.schema(gvk);
    return schema == null ? null : CelSchema.of(SchemaText.of(schema), true, name);
  }

  private void against(Gvk kind, PolicyWords words) {
    Map<String, CelProgram> variables = new LinkedHashMap<>();
    CelEnvironment asking = words.environment(true, variables);
    for (JsonNode variable : spec.path("variables")) {
      try {
        variables.put(
            Meta.text(variable.path("name")),
            asking.compile(Meta.text(variable.path("expression")), CelResultType.ANY));
      } catch (CelException e) {
        // Whoever uses it is told that there is no such variable.
      }
    }
    against.add(new Checked(kind, asking, words.environment(false, variables)));
  }

  private List<Warning> warnings() {
    List<Warning> warnings = new ArrayList<>(0);
    JsonNode validations = spec.path("validations");
    for (int i = 0; i < validations.size(); i++) {
      String path = "spec.validations[" + i + "].";
      warn(validations.path(i), path, "expression", Checked::asking, warnings);
      warn(validations.path(i), path, "messageExpression", Checked::telling, warnings);
    }
    return warnings;
  }

  private void warn(
      JsonNode validation,
      String path,
      String field,
      Function<Checked, CelEnvironment> environment,
      List<Warning> warnings) {
    String expression = Meta.text(validation.path(field));
    if (expression.isBlank()) {
      return;
    }
    List<String> texts = new ArrayList<>(0);
    for (Checked checked : against) {
      try {
        var _ = environment.apply(checked).compile(expression, CelResultType.ANY);
      } catch (CelException e) {
        texts.add(
            checked.kind().apiVersion()
                + ", Kind="
                + checked.kind().kind()
                + ": compilation failed: "
                + e.text()
                + "\n");
      }
    }
    if (!texts.isEmpty()) {
      warnings.add(new Warning(path + field, String.join("\n", texts)));
    }
  }
}

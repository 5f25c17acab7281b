package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.cel.type.FieldNames;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.policy.PolicyReader;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/** Admission policies: those that judge, and those that change. */
public final class AdmissionPolicyRules implements KindRules {

  private static final int AUDIT_ANNOTATIONS_MAX = 20;

  /** Upstream has no such limits; compiling thousands would keep the server busy for long. */
  private static final int VARIABLES_MAX = 500;

  private static final int EXPRESSIONS_MAX = 500;

  private static final int VALUE_EXPRESSION_BYTES_MAX = 5 * 1024;
  private static final Pattern LINE_BREAK = Pattern.compile("[\\n\\r]");

  private static final List<String> REASONS =
      List.of("Forbidden", "Invalid", "RequestEntityTooLarge");

  private final boolean mutates;

  private AdmissionPolicyRules(boolean mutates) {
    this.mutates = mutates;
  }

  public static AdmissionPolicyRules validating() {
    return new AdmissionPolicyRules(false);
  }

  public static AdmissionPolicyRules mutating() {
    return new AdmissionPolicyRules(true);
  }

  @Override
  public void prepareForCreate(ObjectNode policy) {
    policy.remove("status");
  }

  @Override
  public void validate(ObjectNode policy, Problems problems) {
    Place spec = Place.of(policy, problems).at("spec");
    parameterKind(spec.at("paramKind"));
    Place constraints = spec.at("matchConstraints");
    if (constraints.isThere()) {
      matching(constraints);
      if (constraints.at("resourceRules").isEmpty()) {
        constraints.at("resourceRules").required();
      }
    }
    Consumer<Place> compiling = MatchConditions.telling(compiled(policy, spec));
    MatchConditions.validate(spec.at("matchConditions"), compiling);
    if (spec.at("variables").size() > VARIABLES_MAX) {
      spec.at("variables").tooMany(VARIABLES_MAX);
      return;
    }
    spec.at("variables").items().forEach(variable -> variable(variable, compiling));
    if (mutates) {
      mutations(spec.at("mutations"), compiling);
      Place reinvocation = spec.at("reinvocationPolicy");
      if (reinvocation.isEmpty()) {
        reinvocation.required();
      }
    } else {
      validations(spec, Meta.name(policy), compiling);
    }
  }

  /** What is wrong with its expressions; of more than are allowed, none is looked at. */
  private static Problems compiled(ObjectNode policy, Place spec) {
    var faults = new Problems();
    boolean tooMany =
        spec.at("variables").size() > VARIABLES_MAX
            || spec.at("validations").size() > EXPRESSIONS_MAX
            || spec.at("mutations").size() > EXPRESSIONS_MAX;
    if (!tooMany) {
      var _ = PolicyReader.read(policy, faults);
    }
    return faults;
  }

  private static void parameterKind(Place kind) {
    if (!kind.isThere()) {
      return;
    }
    Place version = kind.at("apiVersion");
    String[] parts = version.text().split("/", -1);
    if (version.isEmpty()) {
      version.required();
    } else if (parts.length > 2) {
      version.invalid("unexpected GroupVersion string: " + version.text());
    } else {
      if (parts.length == 2 && !parts[0].isEmpty()) {
        version.invalid(Names.dnsSubdomain(parts[0]));
      }
      String last = parts[parts.length - 1];
      if (last.isEmpty()) {
        version.invalid("version must be specified");
      } else {
        version.invalid(Names.dns1035Label(last));
      }
    }
    Place name = kind.at("kind");
    if (name.isEmpty()) {
      name.required();
    } else {
      for (String why : Names.dns1035Label(name.text().toLowerCase(Locale.ROOT))) {
        name.invalid("may have mixed case, but should otherwise match: " + why);
      }
    }
  }

  /** What a policy or a binding is about. */
  static void matching(Place resources) {
    Selectors.validate(resources.at("namespaceSelector"));
    Selectors.validate(resources.at("objectSelector"));
    for (String field : List.of("resourceRules", "excludeResourceRules")) {
      for (Place rule : resources.at(field).items()) {
        Set<String> names = new HashSet<>();
        for (Place name : rule.at("resourceNames").items()) {
          name.invalid(Names.pathSegment(name.text()));
          if (!names.add(name.text())) {
            name.duplicate();
          }
        }
        WebhookConfigurationRules.rule(rule);
      }
    }
  }

  private static void variable(Place variable, Consumer<Place> compiling) {
    Place name = variable.at("name");
    if (name.text().isBlank()) {
      name.required("name is not specified");
    } else if (!FieldNames.isIdentifier(name.text())) {
      name.invalid("must be a valid CEL identifier");
    }
    specified(variable.at("expression"), "expression");
    compiling.accept(variable.at("expression"));
  }

  private static void specified(Place expression, String what) {
    if (expression.text().isBlank() && !expression.text().isEmpty()) {
      expression.required(what + " is not specified");
    }
  }

  private static void validations(Place spec, String policyName, Consumer<Place> compiling) {
    Place validations = spec.at("validations");
    Place annotations = spec.at("auditAnnotations");
    if (validations.isEmpty() && annotations.isEmpty()) {
      String why = "validations or auditAnnotations must contain at least one item";
      validations.required(why);
      annotations.required(why);
      return;
    }
    if (validations.size() > EXPRESSIONS_MAX) {
      validations.tooMany(EXPRESSIONS_MAX);
    }
    for (Place validation : validations.items()) {
      specified(validation.at("expression"), "expression");
      compiling.accept(validation.at("expression"));
      Place messageExpression = validation.at("messageExpression");
      if (!messageExpression.isEmpty() && messageExpression.text().isBlank()) {
        messageExpression.invalid("must be non-empty if specified");
      }
      compiling.accept(messageExpression);
      Place message = validation.at("message");
      if (!message.isEmpty() && message.text().isBlank()) {
        message.invalid("message must be non-empty if specified");
      } else if (LINE_BREAK.matcher(message.text().strip()).find()) {
        message.invalid("message must not contain line breaks");
      }
      Place reason = validation.at("reason");
      if (reason.isThere() && !REASONS.contains(reason.text())) {
        reason.notSupported(REASONS);
      }
    }
    if (annotations.size() > AUDIT_ANNOTATIONS_MAX) {
      annotations.invalid("must not have more than " + AUDIT_ANNOTATIONS_MAX + " auditAnnotations");
    }
    Set<String> keys = new HashSet<>();
    for (Place annotation : annotations.items()) {
      Place key = annotation.at("key");
      if (policyName.isEmpty()) {
        key.invalid("requires metadata.name be non-empty");
      } else {
        key.invalid(Names.qualifiedName(policyName + "/" + key.text()));
      }
      Place value = annotation.at("valueExpression");
      specified(value, "valueExpression");
      if (value.text().strip().getBytes(StandardCharsets.UTF_8).length
          > VALUE_EXPRESSION_BYTES_MAX) {
        value.required("must not exceed " + VALUE_EXPRESSION_BYTES_MAX + " bytes in length");
      }
      compiling.accept(value);
      if (!keys.add(key.text())) {
        key.duplicate();
      }
    }
  }

  private static void mutations(Place mutations, Consumer<Place> compiling) {
    if (mutations.isEmpty()) {
      mutations.required("mutations must contain at least one item");
    }
    if (mutations.size() > EXPRESSIONS_MAX) {
      mutations.tooMany(EXPRESSIONS_MAX);
    }
    for (Place mutation : mutations.items()) {
      Place type = mutation.at("patchType");
      boolean configuration = type.is("ApplyConfiguration");
      if (!configuration && !type.is("JSONPatch")) {
        continue;
      }
      Place wanted = mutation.at(configuration ? "applyConfiguration" : "jsonPatch");
      Place other = mutation.at(configuration ? "jsonPatch" : "applyConfiguration");
      if (!wanted.isThere()) {
        wanted.required("must be specified when patchType is " + type.text());
      } else if (wanted.at("expression").text().isBlank()) {
        wanted.at("expression").required("expression is not specified");
      }
      compiling.accept(wanted.at("expression"));
      if (other.isThere()) {
        other.forbidden("must not be specified when patchType is " + type.text());
      }
    }
  }
}

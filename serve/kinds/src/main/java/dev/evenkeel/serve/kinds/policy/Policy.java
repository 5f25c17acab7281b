package dev.evenkeel.serve.kinds.policy;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.cel.CelProgram;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy, compiled.
 *
 * @param ignoresFailures whether a write passes when the policy cannot be evaluated
 * @param parameters the kind of its parameters; null if it has none
 * @param matching the writes it is about
 * @param variables in the order they were written: each may use those before it
 * @param mutations empty for policies that only judge
 * @param isReinvoked whether it looks again when others changed the object after it
 * @param failure why it cannot be run at all; empty if it can
 */
public record Policy(
    String name,
    boolean ignoresFailures,
    @Nullable Gvk parameters,
    Matching matching,
    List<Condition> matchConditions,
    List<Variable> variables,
    List<Check> validations,
    List<Annotation> auditAnnotations,
    List<Mutation> mutations,
    boolean isReinvoked,
    String failure) {

  public Policy {
    matchConditions = List.copyOf(matchConditions);
    variables = List.copyOf(variables);
    validations = List.copyOf(validations);
    auditAnnotations = List.copyOf(auditAnnotations);
    mutations = List.copyOf(mutations);
  }

  /** Says whether the policy is about a write at all. */
  public record Condition(String name, CelProgram program) {}

  /** A value with a name, made when it is first asked for. */
  public record Variable(String name, CelProgram program) {}

  /**
   * What must be true.
   *
   * @param message what to say if it is not; empty to say the expression
   * @param messageProgram makes a better one; null if there is none
   * @param reason of the refusal, in the API's word
   */
  public record Check(
      CelProgram program, String message, @Nullable CelProgram messageProgram, String reason) {}

  /** Says something about a write to whoever reads the audit log. */
  public record Annotation(String key, CelProgram program) {}

  /** Changes the object. */
  public record Mutation(Form form, CelProgram program) {

    /** How the change is written. */
    public enum Form {
      /** As a configuration that is merged. */
      CONFIGURATION,
      /** As a list of JSON patches. */
      PATCHES
    }
  }
}

package dev.evenkeel.serve.cel;

import java.nio.charset.StandardCharsets;

/**
 * Whatever the expression: it is refused with a reason, or runs to a result, within its limits, and
 * to the same one twice.
 */
public final class CelFuzzTarget {

  private static final CelSchema SCHEMA =
      Cel.schema(
          "{'type':'object','properties':{'n':{'type':'integer'},'s':{'type':'string'},"
              + "'l':{'type':'array','items':{'type':'string'}},"
              + "'m':{'type':'object','additionalProperties':{'type':'number'}}}}");

  private static final CelEnvironment ENVIRONMENT =
      CelEnvironment.builder()
          .variable("self", SCHEMA)
          .variable("object")
          .authorizer("authorizer")
          .resourceCheck("authorizer.requestResource")
          .mutation()
          .build();

  private static final CelAuthorizer AUTHORIZER =
      question -> new CelAuthorizer.Decision(question.isResource(), false, question.verb(), null);

  private static final CelVariables VALUES =
      new CelVariables()
          .set("self", Cel.json("{'n':3,'s':'text','l':['a','b'],'m':{'k':1.5}}"))
          .set("object", Cel.json("{'n':3,'s':'text','l':[1,'b',null,{'x':true}],'m':{'k':-1}}"))
          .authorizer("authorizer", AUTHORIZER)
          .resourceCheck(
              "authorizer.requestResource",
              AUTHORIZER,
              new CelAuthorizer.Question(
                  null, "", "", "apps", "v1", "deployments", "", "a", "b", "", ""));

  private CelFuzzTarget() {}

  /** What Jazzer calls. */
  public static void fuzzerTestOneInput(byte[] input) {
    run(new String(input, StandardCharsets.UTF_8));
  }

  static void run(String expression) {
    CelProgram program;
    try {
      program = ENVIRONMENT.compile(expression, CelResultType.ANY);
    } catch (CelException e) {
      check(!e.text().isBlank(), "a refusal without a reason");
      return;
    }
    CelResult first = program.evaluate(VALUES, CelBudget.ofRequest());
    CelResult second = program.evaluate(VALUES, CelBudget.ofRequest());
    check(program.estimatedCostMax() >= 0, "a negative estimate");
    check(first.cost() == second.cost(), "two costs");
    check(shown(first).equals(shown(second)), "two results");
  }

  private static String shown(CelResult result) {
    return switch (result) {
      case CelResult.Made made -> made.value().json().toString();
      case CelResult.Failed failed -> failed.message();
      case CelResult.Exceeded exceeded -> exceeded.message();
    };
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}

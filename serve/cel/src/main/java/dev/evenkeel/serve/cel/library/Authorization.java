package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.string;

import dev.evenkeel.kernel.schema.TextFormat;
import dev.evenkeel.serve.cel.value.AccessDecider.Authorizer;
import dev.evenkeel.serve.cel.value.AccessDecider.Check;
import dev.evenkeel.serve.cel.value.AccessDecider.Decision;
import dev.evenkeel.serve.cel.value.AccessDecider.GroupCheck;
import dev.evenkeel.serve.cel.value.AccessDecider.PathCheck;
import dev.evenkeel.serve.cel.value.AccessDecider.Principal;
import dev.evenkeel.serve.cel.value.AccessDecider.ResourceCheck;
import dev.evenkeel.serve.cel.value.EvaluationError;
import java.util.List;
import java.util.function.BiFunction;

/** Questions of who may do what; known only where there is somebody to ask. */
final class Authorization {

  private static final int NAME_MAX = 253;

  private Authorization() {}

  static void addTo(Library library) {
    library
        .declare("authorizer_path", Authorizer.TYPE + "::path(string) -> " + PathCheck.TYPE)
        .define(
            "path", (a, meter) -> new PathCheck(authorizer(a[0]), notEmpty("path", string(a[1]))))
        .declare("authorizer_group", Authorizer.TYPE + "::group(string) -> " + GroupCheck.TYPE)
        .define("group", (a, meter) -> new GroupCheck(authorizer(a[0]), string(a[1])))
        .declare(
            "authorizer_serviceaccount",
            Authorizer.TYPE + "::serviceAccount(string, string) -> " + Authorizer.TYPE)
        .define(
            "serviceAccount",
            (a, meter) -> serviceAccount(authorizer(a[0]), string(a[1]), string(a[2])))
        .declare(
            "groupcheck_resource", GroupCheck.TYPE + "::resource(string) -> " + ResourceCheck.TYPE)
        .define(
            "resource",
            (a, meter) ->
                Library.of(GroupCheck.class, a[0]).resource(notEmpty("resource", string(a[1]))))
        .declare("pathcheck_check", PathCheck.TYPE + "::check(string) -> " + Decision.TYPE)
        .declare("resourcecheck_check", ResourceCheck.TYPE + "::check(string) -> " + Decision.TYPE)
        .define("check", (a, meter) -> decided(Library.of(Check.class, a[0]), string(a[1])));
    addNarrowings(library);
    addAnswers(library);
  }

  private static void addNarrowings(Library library) {
    narrowing(library, "resourcecheck_subresource", "subresource", ResourceCheck::withSubresource);
    narrowing(library, "resourcecheck_namespace", "namespace", ResourceCheck::withNamespace);
    narrowing(library, "resourcecheck_name", "name", ResourceCheck::withName);
    narrowing(
        library, "authorizer_fieldselector", "fieldSelector", ResourceCheck::withFieldSelector);
    narrowing(
        library, "authorizer_labelselector", "labelSelector", ResourceCheck::withLabelSelector);
  }

  private static void narrowing(
      Library library,
      String id,
      String function,
      BiFunction<ResourceCheck, String, ResourceCheck> narrowed) {
    library
        .declare(id, ResourceCheck.TYPE + "::" + function + "(string) -> " + ResourceCheck.TYPE)
        .define(
            function,
            (a, meter) -> narrowed.apply(Library.of(ResourceCheck.class, a[0]), string(a[1])));
  }

  private static void addAnswers(Library library) {
    library
        .declare("decision_allowed", Decision.TYPE + "::allowed() -> bool")
        .define("allowed", (a, meter) -> decision(a[0]).allowed())
        .declare("decision_reason", Decision.TYPE + "::reason() -> string")
        .define("reason", (a, meter) -> decision(a[0]).reason())
        .declare("decision_errored", Decision.TYPE + "::errored() -> bool")
        .define("errored", (a, meter) -> decision(a[0]).errored())
        .declare("decision_error", Decision.TYPE + "::error() -> string")
        .define("error", (a, meter) -> decision(a[0]).error());
  }

  private static Authorizer authorizer(Object value) {
    return Library.of(Authorizer.class, value);
  }

  private static Decision decision(Object value) {
    return Library.of(Decision.class, value);
  }

  private static String notEmpty(String what, String text) {
    if (text.isBlank()) {
      throw new EvaluationError(what + " must not be empty");
    }
    return text;
  }

  private static Authorizer serviceAccount(Authorizer asker, String namespace, String name) {
    // The formats look at every character before they say that there are too many.
    if (name.length() > NAME_MAX || !TextFormat.DNS_SUBDOMAIN.problems(name).isEmpty()) {
      throw new EvaluationError("Invalid service account name");
    }
    if (namespace.length() > NAME_MAX || !TextFormat.DNS_LABEL.problems(namespace).isEmpty()) {
      throw new EvaluationError("Invalid service account namespace");
    }
    return new Authorizer(
        asker.authority(),
        new Principal(
            "system:serviceaccount:" + namespace + ":" + name,
            List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace)));
  }

  private static Decision decided(Check check, String verb) {
    return check.authorizer().authority().decide(check, verb);
  }
}

package dev.evenkeel.serve.rights;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.selector.FieldSelector;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.request.Query;
import dev.evenkeel.serve.request.Target;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests pass that are allowed, and refuses the others in the words that clients know. What
 * a refused caller holds that comes near is told to them too.
 *
 * <p><b>Threading:</b> any.
 */
public final class AccessCheck {

  /** What says no more than that there is a server, and which: for whoever was let in at all. */
  private static final Set<String> PUBLIC_PATHS =
      Set.of("/healthz", "/livez", "/readyz", "/version", "/version/");

  private static final Set<String> SELECTING = Set.of("list", "watch", "deletecollection");

  private static final CompletableFuture<@Nullable Void> PASSED =
      CompletableFuture.completedFuture(null);

  private final Rights rights;
  private volatile CompletableFuture<@Nullable Void> open = PASSED;

  public AccessCheck(Rights rights) {
    this.rights = rights;
  }

  /** Has those whose rights come from roles wait until the roles are there. */
  public void openWhen(CompletableFuture<@Nullable Void> rolesAreThere) {
    open = rolesAreThere;
  }

  /** Answered with whom the caller acts as, if they may. */
  CompletableFuture<Caller> actingAs(Caller caller, Impersonation wanted) {
    CompletableFuture<@Nullable Void> passed = PASSED;
    for (Attributes each : wanted.asked(caller)) {
      passed = passed.isDone() ? joined(passed, each) : passed.thenCompose(_ -> check(each));
    }
    return passed.thenApply(_ -> wanted.caller());
  }

  private CompletableFuture<@Nullable Void> joined(
      CompletableFuture<@Nullable Void> passed, Attributes next) {
    return passed.isCompletedExceptionally() ? passed : check(next);
  }

  /** Whom the headers ask to act as; the caller themselves if they ask for nobody. */
  public CompletableFuture<Caller> actingAs(Caller caller, ApiRequest request) {
    Impersonation wanted = Impersonation.of(request);
    return wanted == null ? CompletableFuture.completedFuture(caller) : actingAs(caller, wanted);
  }

  /** Completes if the caller may do this to objects; else it fails with the refusal. */
  public CompletableFuture<@Nullable Void> check(
      Caller caller, String verb, Target.Resource target, Query query) {
    return caller.isMaster() ? PASSED : check(attributes(caller, verb, target, query));
  }

  /** The same for what is no object. */
  public CompletableFuture<@Nullable Void> check(
      Caller caller, ApiRequest request, Target.Other target) {
    boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
    if (caller.isMaster() || (reads && PUBLIC_PATHS.contains(request.path()))) {
      return PASSED;
    }
    return check(attributes(caller, request, target));
  }

  private CompletableFuture<@Nullable Void> check(Attributes wanted) {
    if (!open.isDone() && !wanted.isMaster()) {
      return open.handle((_, _) -> wanted).thenCompose(this::checkNow);
    }
    return checkNow(wanted);
  }

  private CompletableFuture<@Nullable Void> checkNow(Attributes wanted) {
    CompletableFuture<Verdict> verdict = rights.decideOnNewest(wanted);
    boolean isKnown = verdict.isDone() && !verdict.isCompletedExceptionally();
    return isKnown && verdict.join().isAllowed()
        ? PASSED
        : verdict.thenCompose(
            said ->
                said.isAllowed()
                    ? PASSED
                    : CompletableFuture.failedFuture(refusal(wanted, said.reason())));
  }

  static Attributes attributes(Caller caller, String verb, Target.Resource target, Query query) {
    // A namespace counts as being in itself.
    boolean namespace = target.group().isEmpty() && target.plural().equals("namespaces");
    var plain =
        Attributes.ofResource(
            caller,
            verb,
            target.group(),
            target.plural(),
            target.subresource(),
            namespace ? target.name() : target.namespace(),
            target.name());
    return SELECTING.contains(verb) && !target.watch() ? selecting(plain, query) : plain;
  }

  /** Selectors that cannot be read limit nothing here; whoever serves the request refuses them. */
  private static Attributes selecting(Attributes plain, Query query) {
    String fieldText = query.text("fieldSelector");
    String labelText = query.text("labelSelector");
    if (fieldText.isEmpty() && labelText.isEmpty()) {
      return plain;
    }
    Attributes selecting = plain.selecting(fieldText, labelText);
    FieldSelector fields = Attributes.fieldSelector(fieldText);
    String name = fields == null ? null : fields.exactValue("metadata.name");
    return name != null
            && plain.name().isEmpty()
            && !plain.verb().equals("deletecollection")
            && isPathSegment(name)
        ? selecting.named(name)
        : selecting;
  }

  private static boolean isPathSegment(String name) {
    return !name.equals(".")
        && !name.equals("..")
        && name.indexOf('/') < 0
        && name.indexOf('%') < 0;
  }

  private static Attributes attributes(Caller caller, ApiRequest request, Target.Other target) {
    String verb = request.method().toLowerCase(Locale.ROOT);
    List<String> segments = target.segments();
    int head = segments.isEmpty() ? 0 : segments.getFirst().equals("api") ? 2 : 3;
    boolean prefixed = head == 2 || (head == 3 && segments.getFirst().equals("apis"));
    return prefixed && segments.size() > head
        ? deep(caller, request.method(), segments, head)
        : Attributes.ofPath(caller, verb, path(request.path(), segments));
  }

  /** A path below an object, or to one without a name, is about the object as upstream reads it. */
  private static Attributes deep(Caller caller, String method, List<String> segments, int head) {
    String group = head == 2 ? "" : segments.get(1);
    List<String> rest = segments.subList(head, segments.size());
    String namespace = "";
    if (rest.getFirst().equals("namespaces") && rest.size() > 1) {
      namespace = rest.get(1);
      rest = rest.size() > 2 ? rest.subList(2, rest.size()) : rest;
    }
    String verb =
        switch (method) {
          case "GET", "HEAD" -> rest.size() > 1 ? "get" : "list";
          case "POST" -> "create";
          case "PUT" -> "update";
          case "PATCH" -> "patch";
          case "DELETE" -> rest.size() > 1 ? "delete" : "deletecollection";
          default -> "";
        };
    return Attributes.ofResource(
        caller,
        verb,
        group,
        rest.getFirst(),
        rest.size() > 2 ? rest.get(2) : "",
        namespace,
        rest.size() > 1 ? rest.get(1) : "");
  }

  private static String path(String raw, List<String> segments) {
    return raw.indexOf('%') < 0
        ? raw
        : "/" + String.join("/", segments) + (raw.endsWith("/") ? "/" : "");
  }

  private static ApiException refusal(Attributes wanted, String reason) {
    String said = cannot(wanted) + (reason.isEmpty() ? "" : ": " + reason);
    Status status =
        wanted.isResource()
            ? Status.forbidden(wanted.group(), wanted.resource(), wanted.name(), said)
            : Status.of(403, "Forbidden", "forbidden: " + said);
    return status.asException();
  }

  /** In the words that clients know. */
  private static String cannot(Attributes wanted) {
    String what = "User " + GoText.quoted(wanted.user()) + " cannot " + wanted.verb();
    if (!wanted.isResource()) {
      return plain(what + " path " + GoText.quoted(String.valueOf(wanted.path())));
    }
    return plain(
        what
            + " resource "
            + GoText.quoted(wanted.resourcePath())
            + " in API group "
            + GoText.quoted(wanted.group())
            + (wanted.namespace().isEmpty()
                ? " at the cluster scope"
                : " in the namespace " + GoText.quoted(wanted.namespace())));
  }

  /** What somebody else may show in a browser must not look like a page. */
  private static String plain(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

package dev.evenkeel.serve;

import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.metrics.RequestMetrics;
import dev.evenkeel.serve.request.Query;
import dev.evenkeel.serve.request.Target;
import dev.evenkeel.serve.resource.Served;
import java.util.Locale;

/** What metrics call a request. */
final class RequestKinds {

  private RequestKinds() {}

  static RequestMetrics.Kind of(
      ApiRequest request, Target.Resource target, String verb, Query query, Served served) {
    boolean known =
        target.subresource().isEmpty() || served.definition().hasSubresource(target.subresource());
    return new RequestMetrics.Kind(
        word(request, verb),
        query.has("dryRun"),
        target.group(),
        target.version(),
        target.plural(),
        known ? target.subresource() : "",
        scope(target));
  }

  private static String word(ApiRequest request, String verb) {
    return switch (verb) {
      case "create" -> "POST";
      case "update" -> "PUT";
      case "patch" -> {
        String type = request.header("content-type");
        yield type != null && type.startsWith("application/apply-patch") ? "APPLY" : "PATCH";
      }
      default -> verb.toUpperCase(Locale.ROOT);
    };
  }

  private static String scope(Target.Resource target) {
    if (!target.name().isEmpty()) {
      return "resource";
    }
    return target.namespace().isEmpty() ? "cluster" : "namespace";
  }
}

package dev.evenkeel.serve;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.request.Target;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells whoever wants to know of requests about which a policy had something to say, as events of
 * {@code audit.k8s.io/v1}. Bodies are not told: they may hold secrets.
 */
final class AuditTrail {

  private final Clock clock;
  private volatile @Nullable Consumer<byte[]> reader;
  private final LongAdder events = new LongAdder();

  AuditTrail(Clock clock) {
    this.clock = clock;
  }

  /** Who is told: one line for each event, without its end. */
  void to(Consumer<byte[]> lines) {
    reader = lines;
  }

  /** How many events were told. */
  long events() {
    return events.sum();
  }

  void tell(Call call, String verb, int status) {
    Consumer<byte[]> to = reader;
    if (to != null && !call.annotations().isEmpty()) {
      events.increment();
      to.accept(Json.encode(event(call, verb, status)));
    }
  }

  /** Somebody came with a token that is none. Of the request no more is told than where it went. */
  void tellFailedAttempt(ApiRequest request) {
    Consumer<byte[]> to = reader;
    if (to == null) {
      return;
    }
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("kind", "Event").put("apiVersion", "audit.k8s.io/v1").put("level", "Metadata");
    unlessEmpty(event, "auditID", request.header("audit-id"));
    event.put("stage", "ResponseStarted").put("requestURI", request.path());
    event.put("verb", request.method().toLowerCase(Locale.ROOT));
    event.putObject("user");
    if (!request.address().isEmpty()) {
      event.putArray("sourceIPs").add(request.address());
    }
    unlessEmpty(event, "userAgent", request.header("user-agent"));
    event
        .putObject("responseStatus")
        .put("reason", "Unauthorized")
        .put("message", "Authentication failed, attempted: bearer")
        .put("code", 401);
    event.put("stageTimestamp", clock.now().truncatedTo(ChronoUnit.MICROS).toString());
    events.increment();
    to.accept(Json.encode(event));
  }

  private ObjectNode event(Call call, String verb, int status) {
    ApiRequest request = call.request();
    Target.Resource target = call.target();
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("kind", "Event").put("apiVersion", "audit.k8s.io/v1").put("level", "Metadata");
    unlessEmpty(event, "auditID", request.header("audit-id"));
    event.put("stage", "ResponseComplete");
    event.put(
        "requestURI",
        request.query().isEmpty() ? request.path() : request.path() + "?" + request.query());
    event.put("verb", verb);
    ObjectNode user = event.putObject("user");
    user.put("username", call.caller().name());
    ArrayNode groups = user.putArray("groups");
    call.caller().groups().forEach(groups::add);
    unlessEmpty(event, "userAgent", request.header("user-agent"));
    ObjectNode object = event.putObject("objectRef");
    object.put("resource", target.plural());
    unlessEmpty(object, "namespace", target.namespace());
    unlessEmpty(object, "name", target.name());
    unlessEmpty(object, "apiGroup", target.group());
    object.put("apiVersion", target.version());
    unlessEmpty(object, "subresource", target.subresource());
    event.putObject("responseStatus").put("code", status);
    event.put("stageTimestamp", clock.now().truncatedTo(ChronoUnit.MICROS).toString());
    ObjectNode annotations = event.putObject("annotations");
    call.annotations().forEach(annotations::put);
    return event;
  }

  private static void unlessEmpty(ObjectNode node, String field, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      node.put(field, text);
    }
  }
}

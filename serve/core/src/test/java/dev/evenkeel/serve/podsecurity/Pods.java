package dev.evenkeel.serve.podsecurity;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods for tests, written short: with single quotes. */
final class Pods {

  /** What a container needs at {@code restricted}. */
  private static final String GOOD =
      "{'allowPrivilegeEscalation':false,'runAsNonRoot':true,'capabilities':{'drop':['ALL']},"
          + "'seccompProfile':{'type':'RuntimeDefault'}}";

  private Pods() {}

  static byte[] bytes(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  static ObjectNode json(String text) {
    return Json.parseObject(bytes(text));
  }

  /** A pod with these fields in its spec, and one container unless they name others. */
  static ObjectNode of(String spec) {
    ObjectNode pod = json("{'metadata':{'name':'p'},'spec':{" + spec + "}}");
    ObjectNode fields = (ObjectNode) pod.path("spec");
    if (!fields.has("containers")) {
      fields.putArray("containers").addObject().put("name", "c");
    }
    return pod;
  }

  /**
   * A pod that is all right at {@code restricted}, but for what is said; null takes something away.
   *
   * @param container of the security context of its only container
   */
  static ObjectNode goodBut(String spec, String container) {
    ObjectNode pod = of(spec);
    ObjectNode context = json(GOOD);
    context.setAll(json("{" + container + "}"));
    for (JsonNode each : pod.path("spec").path("containers")) {
      ((ObjectNode) each).set("securityContext", context);
    }
    return pod;
  }
}

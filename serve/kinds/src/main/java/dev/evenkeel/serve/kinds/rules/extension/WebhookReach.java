package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.policy.Asked;
import dev.evenkeel.serve.kinds.policy.Matching;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is dangerous, or useless, about the writes that webhooks are to be called for. A webhook
 * that has a say in the creation of its own pods keeps them from coming back once they are gone: it
 * is said when it is registered, because later nobody is there to say it.
 */
final class WebhookReach {

  private static final String SYSTEM = "kube-system";
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";
  private static final String OWN_GROUP = "admissionregistration.k8s.io";

  private WebhookReach() {}

  /** One warning a webhook at most. */
  static List<String> warnings(ObjectNode configuration) {
    List<String> warnings = new ArrayList<>(0);
    JsonNode hooks = configuration.path("webhooks");
    for (int i = 0; i < hooks.size(); i++) {
      String warning = warning(hooks.path(i));
      if (!warning.isEmpty()) {
        warnings.add("webhooks[" + i + "]: " + warning);
      }
    }
    return warnings;
  }

  private static String warning(JsonNode hook) {
    if (hook.path("rules").isEmpty()) {
      return "it has no rules, so it is never called";
    }
    if (isNeverCalled(hook.path("rules"))) {
      return "it is never called: no webhook is asked about kinds of " + OWN_GROUP;
    }
    if (isOfConnectsOnly(hook.path("rules"))) {
      return "it is never called: this version of Evenkeel serves nothing to CONNECT to";
    }
    if (Meta.text(hook.path("failurePolicy")).equals("Ignore")
        || !hook.path("matchConditions").isEmpty()) {
      return "";
    }
    Matching matching = Matching.ofWebhook(hook);
    String own = Meta.text(hook.path("clientConfig").path("service").path("namespace"));
    Set<String> blocked = new LinkedHashSet<>();
    if (!own.isEmpty() && blocksPods(matching, own)) {
      blocked.add(own);
    }
    if (blocksPods(matching, SYSTEM)) {
      blocked.add(SYSTEM);
    }
    if (blocked.isEmpty()) {
      return "";
    }
    return "while it cannot be reached, no pod can start in "
        + String.join(" and ", blocked)
        + (blocked.contains(own) ? ", its own included" : "")
        + ": leave these out with namespaceSelector {matchExpressions: [{key: "
        + NAME_LABEL
        + ", operator: NotIn, values: ["
        + String.join(", ", blocked)
        + "]}]}, or set failurePolicy: Ignore";
  }

  /** Whether it has a say in every pod of a namespace: when it is made, or given its node. */
  private static boolean blocksPods(Matching matching, String namespace) {
    return !matching.looksAtObjects()
        && matching.matchesNamespace(Map.of(NAME_LABEL, namespace))
        && (isAbout(matching, namespace, "") || isAbout(matching, namespace, "binding"));
  }

  private static boolean isAbout(Matching matching, String namespace, String subresource) {
    var asked = new Asked("CREATE", "", "v1", "pods", subresource, namespace, Asked.ANY_NAME);
    return matching.match(asked, List.of()) != null;
  }

  private static boolean isNeverCalled(JsonNode rules) {
    for (JsonNode rule : rules) {
      for (JsonNode group : rule.path("apiGroups")) {
        if (!Meta.text(group).equals(OWN_GROUP)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isOfConnectsOnly(JsonNode rules) {
    for (JsonNode rule : rules) {
      for (JsonNode operation : rule.path("operations")) {
        if (!Meta.text(operation).equals("CONNECT")) {
          return false;
        }
      }
    }
    return true;
  }
}

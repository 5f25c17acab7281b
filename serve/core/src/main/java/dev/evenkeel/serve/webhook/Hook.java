package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.policy.Policy;
import dev.evenkeel.serve.kinds.policy.PolicyReader;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A webhook, read.
 *
 * @param configuration that it is of
 * @param index among all webhooks of its kind, in the order they are called
 * @param matching which writes it is about
 * @param bearsDryRuns whether it may be called for what is only tried
 * @param reviewVersion the first of those it understands that we speak
 */
record Hook(
    String configuration,
    int index,
    boolean changes,
    Policy matching,
    boolean bearsDryRuns,
    Duration timeout,
    String reviewVersion,
    Place place) {

  private static final int TIMEOUT_SECONDS = 10;

  static Hook read(String configuration, int index, boolean changes, ObjectNode written) {
    String effects = Meta.text(written.path("sideEffects"));
    return new Hook(
        configuration,
        index,
        changes,
        PolicyReader.ofWebhook(written),
        effects.equals("None") || effects.equals("NoneOnDryRun"),
        Duration.ofSeconds(written.path("timeoutSeconds").asInt(TIMEOUT_SECONDS)),
        reviewVersion(written.path("admissionReviewVersions")),
        Place.read(written.path("clientConfig")));
  }

  /** Empty if there is none. */
  private static String reviewVersion(JsonNode versions) {
    for (JsonNode version : versions) {
      String text = Meta.text(version);
      if (text.equals("v1") || text.equals("v1beta1")) {
        return text;
      }
    }
    return "";
  }

  String name() {
    return matching.name();
  }

  boolean ignoresFailures() {
    return matching.ignoresFailures();
  }

  /** Tells it from all others that are in force at the same time. */
  String identity() {
    return (changes ? "m/" : "v/") + configuration + "/" + name();
  }

  /** Upstream's word, in its metrics, for what it is asked to do. */
  String type() {
    return changes ? "admit" : "validating";
  }
}

package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The conditions in a job's status. */
final class JobConditions {

  static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";
  static final String COMPLETE = "Complete";
  static final String FAILURE_TARGET = "FailureTarget";
  static final String FAILED = "Failed";
  static final String SUSPENDED = "Suspended";

  private JobConditions() {}

  /** A condition that is true; null if it is not, or is not there. */
  static @Nullable JsonNode whereTrue(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (Meta.text(condition.path("type")).equals(type)
          && Meta.text(condition.path("status")).equals("True")) {
        return condition;
      }
    }
    return null;
  }

  /** Complete or Failed; null while it is not over. */
  static @Nullable JsonNode end(JsonNode job) {
    JsonNode complete = whereTrue(job.path("status"), COMPLETE);
    return complete != null ? complete : whereTrue(job.path("status"), FAILED);
  }

  static ArrayNode copy(JsonNode status) {
    return status.path("conditions") instanceof ArrayNode known
        ? known.deepCopy()
        : JsonNodeFactory.instance.arrayNode();
  }

  /**
   * Has a condition be so. That something is not so is said only where it was.
   *
   * @return whether that was a change
   */
  static boolean set(
      ArrayNode conditions, String type, boolean is, String reason, String message, Instant now) {
    String status = is ? "True" : "False";
    for (int i = 0; i < conditions.size(); i++) {
      JsonNode known = conditions.path(i);
      if (Meta.text(known.path("type")).equals(type)) {
        if (Meta.text(known.path("status")).equals(status)
            && Meta.text(known.path("reason")).equals(reason)
            && Meta.text(known.path("message")).equals(message)) {
          return false;
        }
        conditions.set(i, condition(type, status, reason, message, now));
        return true;
      }
    }
    if (is) {
      conditions.add(condition(type, status, reason, message, now));
    }
    return is;
  }

  private static ObjectNode condition(
      String type, String status, String reason, String message, Instant now) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("status", status)
        .put("lastProbeTime", text(now))
        .put("lastTransitionTime", text(now))
        .put("reason", reason)
        .put("message", message);
  }

  /** A time as the API writes it. */
  static String text(Instant time) {
    return WireTime.seconds(time);
  }
}

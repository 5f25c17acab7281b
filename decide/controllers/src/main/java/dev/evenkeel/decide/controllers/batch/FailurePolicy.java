package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.kernel.api.Meta;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says what a pod's failure means for its job, by exit codes and conditions.
 *
 * @param rules of which the first that matches counts
 */
record FailurePolicy(JsonNode rules) {

  /** What is to come of a failure. */
  enum Action {
    COUNT,
    IGNORE,
    FAIL_INDEX,
    FAIL_JOB
  }

  /**
   * What a rule says.
   *
   * @param message why the job fails; empty unless it does
   */
  record Ruling(Action action, String message) {

    private static final Ruling COUNTED = new Ruling(Action.COUNT, "");

    boolean counts() {
      return action != Action.IGNORE;
    }
  }

  Ruling judge(JobPod pod) {
    for (int at = 0; at < rules.size(); at++) {
      JsonNode rule = rules.path(at);
      String cause =
          rule.path("onExitCodes").isObject()
              ? exit(pod, rule.path("onExitCodes"))
              : condition(pod, rule.path("onPodConditions"));
      Action action = action(Meta.text(rule.path("action")));
      if (cause != null && action != null) {
        return new Ruling(
            action,
            action == Action.FAIL_JOB ? cause + " matching FailJob rule at index " + at : "");
      }
    }
    return Ruling.COUNTED;
  }

  private static @Nullable Action action(String word) {
    return switch (word) {
      case "Count" -> Action.COUNT;
      case "Ignore" -> Action.IGNORE;
      case "FailIndex" -> Action.FAIL_INDEX;
      case "FailJob" -> Action.FAIL_JOB;
      default -> null;
    };
  }

  private static String called(JobPod pod) {
    return pod.seen().namespace() + "/" + pod.seen().name();
  }

  private static @Nullable String exit(JobPod pod, JsonNode wanted) {
    for (String list : new String[] {"containerStatuses", "initContainerStatuses"}) {
      for (JsonNode container : pod.tree().path("status").path(list)) {
        JsonNode code = Meta.at(container, "state", "terminated", "exitCode");
        String name = Meta.text(container.path("name"));
        String only = Meta.text(wanted.path("containerName"));
        if (code.asInt(0) != 0
            && (only.isEmpty() || only.equals(name))
            && matches(code.asInt(0), wanted)) {
          return "Container "
              + name
              + " for pod "
              + called(pod)
              + " failed with exit code "
              + code.asInt(0);
        }
      }
    }
    return null;
  }

  private static boolean matches(int code, JsonNode wanted) {
    boolean listed = false;
    for (JsonNode value : wanted.path("values")) {
      listed |= value.asInt(0) == code;
    }
    return switch (Meta.text(wanted.path("operator"))) {
      case "In" -> listed;
      case "NotIn" -> !listed;
      default -> false;
    };
  }

  private static @Nullable String condition(JobPod pod, JsonNode patterns) {
    for (JsonNode condition : pod.tree().path("status").path("conditions")) {
      for (JsonNode pattern : patterns) {
        String type = Meta.text(condition.path("type"));
        String status = Meta.text(pattern.path("status"));
        if (type.equals(Meta.text(pattern.path("type")))
            && Meta.text(condition.path("status")).equals(status.isEmpty() ? "True" : status)) {
          return "Pod " + called(pod) + " has condition " + type;
        }
      }
    }
    return null;
  }
}

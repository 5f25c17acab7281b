package dev.evenkeel.serve.resident;

import java.util.ArrayList;
import java.util.List;

/**
 * The priority levels and flow schemas that every cluster has, with upstream's names and figures:
 * whoever writes a schema of their own names one of these levels.
 */
final class DefaultFlows {

  private static final String PATH = "/apis/flowcontrol.apiserver.k8s.io/v1/";

  /** By whose name they are made. */
  private static final String MANAGER = "api-priority-and-fairness-config-producer-v1";

  private static final String EVERY_REQUEST =
      """
      "resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],\
      "nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]\
      """;
  private static final String PROBES =
      """
      "nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/healthz","/readyz","/livez"]}]\
      """;
  private static final String NODES_AND_THEIR_LEASES =
      """
      "resourceRules":[{"verbs":["*"],"apiGroups":[""],"resources":["nodes","nodes/status"],\
      "clusterScope":true,"namespaces":["*"]},\
      {"verbs":["*"],"apiGroups":["coordination.k8s.io"],"resources":["leases"],"namespaces":["*"]}]\
      """;
  private static final String LEASES =
      """
      "resourceRules":[{"verbs":["get","create","update"],"apiGroups":["coordination.k8s.io"],\
      "resources":["leases"],"namespaces":["*"]}]\
      """;

  private static final String EVERYBODY =
      group("system:unauthenticated") + "," + group("system:authenticated");
  private static final String SYSTEM_ACCOUNTS =
      "{\"kind\":\"ServiceAccount\",\"serviceAccount\":{\"name\":\"*\",\"namespace\":\"kube-system\"}}";
  private static final String CONTROLLER_MANAGER = user("system:kube-controller-manager");
  private static final String SCHEDULER = user("system:kube-scheduler");

  private DefaultFlows() {}

  /** To be made first: each schema names one. */
  static List<Housekeeping.Fixture> levels() {
    List<Housekeeping.Fixture> all = new ArrayList<>();
    all.add(
        level(
            "exempt",
            "\"type\":\"Exempt\",\"exempt\":{\"nominalConcurrencyShares\":0,\"lendablePercent\":0}"));
    all.add(limited("catch-all", 5, 0, "\"type\":\"Reject\""));
    all.add(limited("system", 30, 33, queue(64, 6)));
    all.add(limited("node-high", 40, 25, queue(64, 6)));
    all.add(limited("leader-election", 10, 0, queue(16, 4)));
    all.add(limited("workload-high", 40, 50, queue(128, 6)));
    all.add(limited("workload-low", 100, 90, queue(128, 6)));
    all.add(limited("global-default", 20, 50, queue(128, 6)));
    return all;
  }

  static List<Housekeeping.Fixture> schemas() {
    List<Housekeeping.Fixture> all = new ArrayList<>();
    all.add(schema("exempt", "exempt", 1, "", group("system:masters"), EVERY_REQUEST));
    all.add(schema("probes", "exempt", 2, "", EVERYBODY, PROBES));
    all.add(
        schema(
            "system-leader-election",
            "leader-election",
            100,
            "ByUser",
            CONTROLLER_MANAGER + "," + SCHEDULER + "," + SYSTEM_ACCOUNTS,
            LEASES));
    all.add(
        schema(
            "system-node-high",
            "node-high",
            400,
            "ByUser",
            group("system:nodes"),
            NODES_AND_THEIR_LEASES));
    all.add(schema("system-nodes", "system", 500, "ByUser", group("system:nodes"), EVERY_REQUEST));
    all.add(
        schema(
            "kube-controller-manager",
            "workload-high",
            800,
            "ByNamespace",
            CONTROLLER_MANAGER,
            EVERY_REQUEST));
    all.add(
        schema("kube-scheduler", "workload-high", 800, "ByNamespace", SCHEDULER, EVERY_REQUEST));
    all.add(
        schema(
            "kube-system-service-accounts",
            "workload-high",
            900,
            "ByNamespace",
            SYSTEM_ACCOUNTS,
            EVERY_REQUEST));
    all.add(
        schema(
            "service-accounts",
            "workload-low",
            9_000,
            "ByUser",
            group("system:serviceaccounts"),
            EVERY_REQUEST));
    all.add(schema("global-default", "global-default", 9_900, "ByUser", EVERYBODY, EVERY_REQUEST));
    all.add(schema("catch-all", "catch-all", 10_000, "ByUser", EVERYBODY, EVERY_REQUEST));
    return all;
  }

  private static String group(String name) {
    return "{\"kind\":\"Group\",\"group\":{\"name\":\"" + name + "\"}}";
  }

  private static String user(String name) {
    return "{\"kind\":\"User\",\"user\":{\"name\":\"" + name + "\"}}";
  }

  private static String queue(int queues, int handSize) {
    return """
    "type":"Queue","queuing":{"queues":%d,"handSize":%d,"queueLengthLimit":50}\
    """
        .formatted(queues, handSize);
  }

  private static Housekeeping.Fixture limited(
      String name, int shares, int lendablePercent, String response) {
    return level(
        name,
        """
        "type":"Limited","limited":{"nominalConcurrencyShares":%d,"lendablePercent":%d,\
        "limitResponse":{%s}}\
        """
            .formatted(shares, lendablePercent, response));
  }

  private static Housekeeping.Fixture level(String name, String spec) {
    return fixture("prioritylevelconfigurations", "PriorityLevelConfiguration", name, spec);
  }

  private static Housekeeping.Fixture schema(
      String name, String level, int precedence, String by, String subjects, String rules) {
    String distinguisher = by.isEmpty() ? "" : "\"distinguisherMethod\":{\"type\":\"" + by + "\"},";
    return fixture(
        "flowschemas",
        "FlowSchema",
        name,
        """
        "priorityLevelConfiguration":{"name":"%s"},"matchingPrecedence":%d,%s\
        "rules":[{"subjects":[%s],%s}]\
        """
            .formatted(level, precedence, distinguisher, subjects, rules));
  }

  private static Housekeeping.Fixture fixture(
      String plural, String kind, String name, String spec) {
    return new Housekeeping.Fixture(
        PATH + plural,
        name,
        MANAGER,
        """
        {"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"%s","metadata":{"name":"%s",\
        "annotations":{"apf.kubernetes.io/autoupdate-spec":"true"}},"spec":{%s}}\
        """
            .formatted(kind, name, spec));
  }
}

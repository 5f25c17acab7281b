package dev.evenkeel.serve.presence;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects of the kind APIService: one for each version of a group that is served here, kept in step
 * with the kinds that users define; and of every one whether it is available.
 *
 * <p><b>Threading:</b> owned by the loop of {@link Presence}.
 */
final class ApiServiceObjects {

  private static final String PATH = "/apis/apiregistration.k8s.io/v1/apiservices";
  private static final String MANAGED = "kube-aggregator.kubernetes.io/automanaged";

  /** The objects' own group is always there, and has none. */
  private static final String OWN_GROUP = "apiregistration.k8s.io";

  /** Made when a server starts. */
  private static final String ON_START = "onstart";

  /** Made for what users define, and removed with it. */
  private static final String ALWAYS = "true";

  private static final int CUSTOM_GROUP = 1_000;
  private static final int CUSTOM_VERSION = 100;
  private static final int GROUP_FIRST = 18_000;
  private static final int VERSION_FIRST = 15;

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final Clock clock;
  private final OwnCalls calls;
  private final ResourceTable resources;
  private final Loop loop;
  private final KindCache objects;
  private final KindCache services;
  private final AtomicBoolean looking = new AtomicBoolean();
  private long seenServices;
  private Map<String, Wanted> seen = Map.of();

  /** Upstream's orders of preference, where it has the group version. */
  private static final Map<String, int[]> PRIORITIES = priorities();

  private record Wanted(String group, String version, boolean custom) {}

  ApiServiceObjects(Env env, OwnCalls calls, ResourceTable resources, Loop loop) {
    this.clock = env.clock();
    this.calls = calls;
    this.resources = resources;
    this.loop = loop;
    this.objects = resources.at("apiregistration.k8s.io", "v1", "apiservices").cache();
    this.services = resources.at("", "v1", "services").cache();
  }

  void start() {
    objects.follow(this::changed);
    var _ = objects.ready().thenAccept(_ -> changed());
    var _ = services.ready();
    poll();
  }

  /** Kinds and services are looked at now and then: nobody waits for these to the moment. */
  private void poll() {
    Map<String, Wanted> now = wanted();
    long version = services.isReady() ? services.newest().revision() : 0;
    if (!now.equals(seen) || version != seenServices) {
      seen = now;
      seenServices = version;
      changed();
    }
    try {
      var _ = loop.runLater(LOOK_AGAIN, this::poll);
    } catch (RejectedExecutionException e) {
      // The server closes.
    }
  }

  private void changed() {
    if (looking.compareAndSet(false, true)) {
      try {
        loop.execute(this::look);
      } catch (RejectedExecutionException e) {
        // The server closes.
      }
    }
  }

  private Map<String, Wanted> wanted() {
    Map<String, Wanted> wanted = new TreeMap<>();
    for (Served served : resources.all()) {
      if (served.group().equals(OWN_GROUP)) {
        continue;
      }
      String version = served.gvk().version();
      wanted.putIfAbsent(
          version + "." + served.group(),
          new Wanted(served.group(), version, served.definition().rules().isCustom()));
    }
    return wanted;
  }

  private void look() {
    looking.set(false);
    if (!objects.isReady()) {
      return;
    }
    Map<String, Wanted> wanted = wanted();
    var tree = objects.newest().tree();
    wanted.forEach(
        (name, one) -> {
          if (tree.get(name) == null) {
            calls.create(PATH, object(name, one), _ -> {});
          }
        });
    SortedTree.Walk<CachedObject> walk = tree.from("");
    CachedObject next;
    while ((next = walk.next()) != null) {
      if (next.labels().containsKey(MANAGED) && !wanted.containsKey(next.name())) {
        calls.delete(PATH + "/" + next.name());
      } else {
        sayAvailable(Json.parseObject(next.json()));
      }
    }
  }

  private ObjectNode object(String name, Wanted one) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "apiregistration.k8s.io/v1").put("kind", "APIService");
    Meta.of(object)
        .put("name", name)
        .putObject("labels")
        .put(MANAGED, one.custom ? ALWAYS : ON_START);
    int[] priorities = priorities(name, one);
    ObjectNode spec = object.putObject("spec");
    if (!one.group.isEmpty()) {
      spec.put("group", one.group);
    }
    spec.put("version", one.version)
        .put("groupPriorityMinimum", priorities[0])
        .put("versionPriority", priorities[1]);
    return object;
  }

  private static int[] priorities(String name, Wanted one) {
    return one.custom
        ? new int[] {CUSTOM_GROUP, CUSTOM_VERSION}
        : PRIORITIES.getOrDefault(name, new int[] {CUSTOM_GROUP, VERSION_FIRST});
  }

  // ---- whether it is available

  private void sayAvailable(ObjectNode object) {
    ObjectNode condition = condition(object.path("spec").path("service"));
    if (condition == null) {
      return;
    }
    JsonNode said = Meta.at(object, "status", "conditions").path(0);
    boolean same = true;
    for (String field : new String[] {"status", "reason", "message"}) {
      same &= said.path(field).equals(condition.path(field));
    }
    if (same) {
      return;
    }
    boolean turned = !said.path("status").equals(condition.path("status"));
    condition.put(
        "lastTransitionTime",
        turned ? WireTime.seconds(clock.now()) : Meta.text(said.path("lastTransitionTime")));
    object.putObject("status").putArray("conditions").add(condition);
    calls.update(PATH + "/" + Meta.name(object) + "/status", object, _ -> {});
  }

  /** Null if it cannot be told yet. */
  private @Nullable ObjectNode condition(JsonNode service) {
    if (service.isMissingNode() || service.isNull()) {
      return condition("True", "Local", "Local APIServices are always available");
    }
    if (!services.isReady()) {
      return null;
    }
    String namespace = Meta.text(service.path("namespace"));
    String name = Meta.text(service.path("name"));
    CachedObject found = services.newest().tree().get(namespace + "/" + name);
    String told = "service/" + name + " in \"" + namespace + "\"";
    if (found == null) {
      return condition("False", "ServiceNotFound", told + " is not present");
    }
    long port = service.path("port").asLong(443);
    JsonNode spec = Json.parse(found.json()).path("spec");
    boolean listens = !Meta.text(spec.path("type")).equals("ClusterIP");
    for (JsonNode one : spec.path("ports")) {
      listens |= one.path("port").asLong(0) == port;
    }
    return listens
        ? condition(
            "False",
            "FailedDiscoveryCheck",
            "this server passes no requests on to " + told + " yet")
        : condition("False", "ServicePortError", told + " is not listening on port " + port);
  }

  private static ObjectNode condition(String status, String reason, String message) {
    ObjectNode condition = JsonNodeFactory.instance.objectNode();
    return condition
        .put("type", "Available")
        .put("status", status)
        .put("reason", reason)
        .put("message", message);
  }

  private static Map<String, int[]> priorities() {
    Map<String, int[]> known = new HashMap<>();
    known.put("v1.", new int[] {GROUP_FIRST, 1});
    String groups =
        "apps 17800, events.k8s.io 17750, authentication.k8s.io 17700, authorization.k8s.io 17600,"
            + " autoscaling 17500, batch 17400, certificates.k8s.io 17300, networking.k8s.io 17200,"
            + " policy 17100, rbac.authorization.k8s.io 17000, storage.k8s.io 16800,"
            + " apiextensions.k8s.io 16700, admissionregistration.k8s.io 16700,"
            + " scheduling.k8s.io 16600, coordination.k8s.io 16500, node.k8s.io 16300,"
            + " discovery.k8s.io 16200";
    for (String entry : groups.split(", ", -1)) {
      int space = entry.indexOf(' ');
      int priority = Integer.parseInt(entry.substring(space + 1));
      known.put("v1." + entry.substring(0, space), new int[] {priority, VERSION_FIRST});
    }
    known.put("v2.autoscaling", new int[] {17_500, 30});
    known.put("v1.flowcontrol.apiserver.k8s.io", new int[] {16_100, 21});
    known.put("v1.resource.k8s.io", new int[] {16_200, 21});
    known.put("v1beta1.admissionregistration.k8s.io", new int[] {16_700, 12});
    return known;
  }
}

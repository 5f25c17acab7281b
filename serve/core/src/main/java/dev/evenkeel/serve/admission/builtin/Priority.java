package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Interest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.CachedObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A pod's priority is its class's; there is at most one class for pods that name none. */
final class Priority implements AdmissionPlugin {

  private static final Resource PODS = Resource.core("pods");
  private static final Resource CLASSES = new Resource("scheduling.k8s.io", "priorityclasses");

  /** The class that pods get which name none, as of one state of the classes. */
  private record Default(SortedTree<CachedObject> of, @Nullable ObjectNode priorityClass) {}

  private volatile Default known = new Default(SortedTree.empty(), null);

  @Override
  public String name() {
    return "Priority";
  }

  @Override
  public List<Interest> mutates() {
    return List.of(Interest.in(PODS, Operation.CREATE, Operation.UPDATE));
  }

  @Override
  public List<Interest> validates() {
    return List.of(Interest.in(CLASSES, Operation.CREATE, Operation.UPDATE));
  }

  @Override
  public Set<Resource> reads() {
    return Set.of(CLASSES);
  }

  @Override
  public void mutate(AdmissionRequest request) {
    if (request.old() != null) {
      keep(request.spec(), request.old().path("spec"));
    } else {
      set(request);
    }
  }

  /** A client that does not know the fields sends the pod without them. */
  private static void keep(ObjectNode spec, JsonNode old) {
    for (String field : List.of("priority", "preemptionPolicy")) {
      if (!spec.hasNonNull(field) && old.hasNonNull(field)) {
        spec.set(field, old.get(field));
      }
    }
  }

  private void set(AdmissionRequest request) {
    ObjectNode spec = request.spec();
    ObjectNode priorityClass = classOf(request, Meta.text(spec.path("priorityClassName")));
    long priority = 0;
    String preemption = "PreemptLowerPriority";
    if (priorityClass != null) {
      spec.put("priorityClassName", Meta.name(priorityClass));
      priority = priorityClass.path("value").asLong(0);
      preemption = Meta.text(priorityClass.path("preemptionPolicy"));
    }
    if (spec.hasNonNull("priority") && spec.path("priority").asLong(0) != priority) {
      throw request.forbidden(
          "the integer value of priority ("
              + spec.path("priority").asLong(0)
              + ") must not be provided in pod spec; priority admission controller computed "
              + priority
              + " from the given PriorityClass name");
    }
    spec.put("priority", priority);
    if (preemption.isEmpty()) {
      return;
    }
    String given = Meta.text(spec.path("preemptionPolicy"));
    if (!given.isEmpty() && !given.equals(preemption)) {
      throw request.forbidden(
          "the string value of PreemptionPolicy ("
              + given
              + ") must not be provided in pod spec; priority admission controller computed "
              + preemption
              + " from the given PriorityClass name");
    }
    spec.put("preemptionPolicy", preemption);
  }

  private @Nullable ObjectNode classOf(AdmissionRequest request, String name) {
    SortedTree<CachedObject> classes = request.views().of(CLASSES);
    if (name.isEmpty()) {
      return defaultOf(classes);
    }
    CachedObject found = classes.get(name);
    if (found == null) {
      throw request.forbidden("no PriorityClass with name " + name + " was found");
    }
    return Json.parseObject(found.json());
  }

  private @Nullable ObjectNode defaultOf(SortedTree<CachedObject> classes) {
    Default last = known;
    if (!last.of.equals(classes)) {
      last = new Default(classes, find(classes));
      known = last;
    }
    return last.priorityClass;
  }

  /** The lowest one, should there be several. */
  private static @Nullable ObjectNode find(SortedTree<CachedObject> classes) {
    ObjectNode lowest = null;
    SortedTree.Walk<CachedObject> walk = classes.from("");
    CachedObject next;
    while ((next = walk.next()) != null) {
      ObjectNode one = Json.parseObject(next.json());
      if (one.path("globalDefault").asBoolean(false)
          && (lowest == null || one.path("value").asLong(0) < lowest.path("value").asLong(0))) {
        lowest = one;
      }
    }
    return lowest;
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (!request.wanted().path("globalDefault").asBoolean(false)) {
      return;
    }
    ObjectNode other = defaultOf(request.views().of(CLASSES));
    if (other != null
        && (request.isCreate() || !Meta.name(other).equals(Meta.name(request.wanted())))) {
      throw request.forbidden(
          "PriorityClass "
              + Meta.name(other)
              + " is already marked as default. Only one default can exist");
    }
  }
}

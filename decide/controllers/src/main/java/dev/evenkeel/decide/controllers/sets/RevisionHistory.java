package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.object.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The templates that a set has had, of which the newest is the one that it has now. A template that
 * comes back gets its old revision with a new number.
 */
final class RevisionHistory {

  /** Beyond this many names that others took, something else is wrong. */
  private static final int COLLISIONS_MAX = 100;

  /** So that the hash fits behind it. */
  private static final int NAME_CHARS_MAX = 223;

  private static final long LIMIT_DEFAULT = 10;

  /** When to look whether what a former set left behind is gone. */
  private static final Duration FORMER_GONE_AFTER = Duration.ofSeconds(1);

  private final Cached<ObjectNode> set;
  private final ObjectNode tree;
  private final String hashLabel;
  private final List<Revision> known;
  private final Revision update;
  private long collisions;

  /**
   * Reads the history and plans what it lacks.
   *
   * @param hashLabel under which revisions of this kind of set carry their hash
   */
  RevisionHistory(
      Cached<ObjectNode> set,
      ObjectNode tree,
      LabelSelector selector,
      String hashLabel,
      View view,
      Plan plan) {
    this.set = set;
    this.tree = tree;
    this.hashLabel = hashLabel;
    this.collisions = tree.path("status").path("collisionCount").asLong(0);
    this.known = known(selector, view, plan);
    this.update = newest(view, plan);
  }

  /** The revision of the template that the set has now. */
  Revision update() {
    return update;
  }

  /** How often names of revisions were taken. */
  long collisions() {
    return collisions;
  }

  /** The one of that name, or the newest if there is none. */
  Revision named(String name) {
    return known.stream().filter(it -> it.name().equals(name)).findFirst().orElse(update);
  }

  /** Those that the template has moved on from, oldest first. */
  List<Revision> old() {
    return known.stream().filter(it -> !it.name().equals(update.name())).toList();
  }

  /** How many revisions the set's author wants to go back to. */
  long limit() {
    return tree.path("spec").path("revisionHistoryLimit").asLong(LIMIT_DEFAULT);
  }

  /**
   * Deletes the oldest that nobody needs.
   *
   * @param inUse names of those that must stay
   * @param keep how many of the others stay
   */
  void cleanUp(Set<String> inUse, long keep, Plan plan) {
    List<Revision> unused = old().stream().filter(it -> !inUse.contains(it.name())).toList();
    for (Revision revision : unused.subList(0, (int) Math.max(0, unused.size() - keep))) {
      Cached<ObjectNode> seen = revision.seen();
      if (seen != null) {
        plan.delete(
            seen,
            "revision %d is not in use, and %d older ones are kept"
                .formatted(revision.number(), limit()));
      }
    }
  }

  private List<Revision> known(LabelSelector selector, View view, Plan plan) {
    List<Revision> found = new ArrayList<>();
    for (Cached<ObjectNode> revision : view.owned(set, Kinds.CONTROLLER_REVISIONS)) {
      if (Ownership.isControlledBy(revision, set)) {
        found.add(Revision.of(revision, hashLabel));
      }
    }
    for (Cached<ObjectNode> revision : view.list(Kinds.CONTROLLER_REVISIONS, set.namespace())) {
      if (Ownership.controller(revision) == null
          && !selector.isEverything()
          && selector.matches(revision.labels())) {
        plan.patch(
            revision,
            Ownership.adoption(revision, set),
            revision.name() + " matches and belongs to nobody");
        found.add(Revision.of(revision, hashLabel));
      }
    }
    found.sort(Revision.OLDEST_FIRST);
    return found;
  }

  private Revision newest(View view, Plan plan) {
    ObjectNode data = Revision.dataOf(tree.path("spec").path("template"));
    long next = known.isEmpty() ? 1 : known.getLast().number() + 1;
    List<Revision> equal = known.stream().filter(it -> it.hasData(data)).toList();
    if (equal.isEmpty()) {
      return make(data, next, view, plan);
    }
    Revision last = equal.getLast();
    Cached<ObjectNode> seen = last.seen();
    if (seen == null || last.name().equals(known.getLast().name())) {
      return last;
    }
    plan.patch(
        seen,
        JsonNodeFactory.instance.objectNode().put("revision", next),
        "the template is that of revision " + last.number() + " again");
    return last.numbered(next);
  }

  private Revision make(ObjectNode data, long number, View view, Plan plan) {
    String prefix = set.name().substring(0, Math.min(set.name().length(), NAME_CHARS_MAX));
    String hash = Revision.hash(data, collisions);
    for (int i = 0; i < COLLISIONS_MAX; i++) {
      Cached<ObjectNode> taken =
          view.find(Kinds.CONTROLLER_REVISIONS, set.namespace(), prefix + "-" + hash);
      if (taken == null) {
        break;
      }
      if (isOfFormerSet(taken) && Revision.of(taken, hashLabel).hasData(data)) {
        plan.lookAgain(
            FORMER_GONE_AFTER, taken.name() + " is of a former set of this name, and going");
        return new Revision(null, taken.name(), hash, number, "", data);
      }
      collisions++;
      hash = Revision.hash(data, collisions);
    }
    String name = prefix + "-" + hash;
    plan.create(
        Kinds.CONTROLLER_REVISIONS,
        object(name, hash, data, number),
        "the template has no revision yet; it becomes number " + number);
    return new Revision(null, name, hash, number, "", data);
  }

  /**
   * Whether it belongs to a set of the same name that was deleted, and will be collected. It is the
   * same template under the same name: not a collision, or a set that is made anew would get other
   * names each time.
   */
  private boolean isOfFormerSet(Cached<ObjectNode> revision) {
    Owner owner = Ownership.controller(revision);
    return owner != null
        && owner.kind().equals(set.kind().gvk().kind())
        && owner.name().equals(set.name())
        && !owner.uid().equals(set.uid());
  }

  private ObjectNode object(String name, String hash, ObjectNode data, long number) {
    ObjectNode revision = JsonNodeFactory.instance.objectNode();
    revision.put("apiVersion", "apps/v1").put("kind", "ControllerRevision");
    ObjectNode metadata = Meta.of(revision);
    metadata.put("name", name).put("namespace", set.namespace());
    ObjectNode labels = metadata.putObject("labels");
    JsonNode given = tree.path("spec").path("template").path("metadata").path("labels");
    given.forEachEntry(labels::set);
    labels.put(hashLabel, hash);
    if (tree.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      metadata.set("annotations", annotations.deepCopy());
    }
    Ownership.take(revision, set);
    revision.set("data", data);
    return revision.put("revision", number);
  }
}

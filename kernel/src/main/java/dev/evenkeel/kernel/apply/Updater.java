package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.apply.ManagedFields.Owned;
import dev.evenkeel.kernel.apply.Versions.Version;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a write makes of an object's managers, and an applied configuration of the object. Objects
 * are given without {@code metadata.managedFields}, in the version of the write.
 */
public final class Updater {

  /** What nobody owns: it is the server's, or says only which object it is. */
  private static final FieldSet STRIPPED =
      FieldSet.ofNames(
          List.of(
              List.of("apiVersion"),
              List.of("kind"),
              List.of("metadata"),
              List.of("metadata", "name"),
              List.of("metadata", "namespace"),
              List.of("metadata", "creationTimestamp"),
              List.of("metadata", "selfLink"),
              List.of("metadata", "uid"),
              List.of("metadata", "clusterName"),
              List.of("metadata", "generation"),
              List.of("metadata", "managedFields"),
              List.of("metadata", "resourceVersion")));

  /** Owns what was there before anybody applied, in objects that had no managers. */
  private static final String BEFORE_FIRST_APPLY = "before-first-apply";

  private final Versions versions;
  private final Version version;

  /**
   * @param version of the objects that are given
   */
  public Updater(Versions versions, Version version) {
    this.versions = versions;
    this.version = version;
  }

  // ---- update

  /**
   * The managers after an update.
   *
   * @param name of whoever writes
   * @param subresource through which, empty for the object itself
   * @param now the time of the write
   * @throws TypeException if nobody can tell what changed
   */
  public ManagedFields update(
      ObjectNode old,
      ObjectNode next,
      ManagedFields managers,
      String name,
      String subresource,
      String now) {
    return update(
            old, next, managers, Manager.updater(name, version.apiVersion(), subresource), now)
        .capped();
  }

  private ManagedFields update(
      ObjectNode old, ObjectNode next, ManagedFields managers, Manager manager, String now) {
    Map<String, Comparison> comparisons = new HashMap<>();
    Comparison own = compare(old, next, version).without(version.reset());
    comparisons.put(version.apiVersion(), own);
    Map<Manager, Owned> left = new TreeMap<>();
    managers
        .owned()
        .forEach(
            (other, owned) -> {
              Comparison change = comparison(old, next, owned.apiVersion(), comparisons);
              if (change != null) {
                keep(left, other, owned, lost(owned, change));
              }
            });
    FieldSet taken = own.modified().union(own.added()).difference(STRIPPED);
    if (!taken.isEmpty()) {
      Owned before = left.get(manager);
      left.put(
          manager,
          new Owned(
              before == null ? taken : taken.union(before.fields()), version.apiVersion(), now));
    }
    return new ManagedFields(left);
  }

  /** What a manager does not own any more: others changed it, or it is gone. */
  private static FieldSet lost(Owned owned, Comparison change) {
    return owned
        .fields()
        .intersection(change.modified().union(change.added()))
        .union(change.removed());
  }

  private static void keep(
      Map<Manager, Owned> managers, Manager manager, Owned owned, FieldSet lost) {
    FieldSet fields = owned.fields().difference(lost);
    if (!fields.isEmpty()) {
      managers.put(manager, new Owned(fields, owned.apiVersion(), owned.time()));
    }
  }

  private static Comparison compare(ObjectNode old, ObjectNode next, Version version) {
    return Comparison.of(old, next, version.schema(), version.zero());
  }

  /** The comparison in another version; null if that is not served any more. */
  private @Nullable Comparison comparison(
      ObjectNode old, ObjectNode next, String apiVersion, Map<String, Comparison> known) {
    Comparison made = known.get(apiVersion);
    Version other = versions.at(apiVersion);
    if (made == null && other != null) {
      made =
          compare(convert(old, apiVersion), convert(next, apiVersion), other)
              .without(other.reset());
      known.put(apiVersion, made);
    }
    return made;
  }

  private ObjectNode convert(ObjectNode object, String to) {
    return versions.convert(object, version.apiVersion(), to);
  }

  // ---- apply

  /**
   * What an application comes to.
   *
   * @param object shares nothing with what was given
   */
  public record Applied(ObjectNode object, ManagedFields managers) {}

  /**
   * Applies a configuration.
   *
   * @param live null if there is no object yet
   * @param configuration that passed {@link TypeCheck}
   * @param force whether to take what others own
   * @throws ConflictException if others own what it changes, and it is not to be taken
   * @throws TypeException if nobody can tell what changed
   */
  public Applied apply(
      @Nullable ObjectNode live,
      ObjectNode configuration,
      ManagedFields managers,
      Manager manager,
      boolean force,
      String now) {
    ObjectNode old = live == null ? JsonNodeFactory.instance.objectNode() : live;
    ManagedFields before = managers;
    if (live != null && managers.isEmpty()) {
      before =
          update(
              JsonNodeFactory.instance.objectNode(),
              live,
              managers,
              Manager.updater(BEFORE_FIRST_APPLY, version.apiVersion(), manager.subresource()),
              now);
    }
    ObjectNode merged = Merge.of(old, configuration, version.schema());
    FieldSet set =
        ObjectFields.of(configuration, version.schema()).recursiveDifference(version.reset());
    Owned last = before.owned().get(manager);
    Map<Manager, Owned> others = new TreeMap<>(before.owned());
    others.put(manager, new Owned(set, version.apiVersion(), null));
    ObjectNode next = last == null ? merged : new Pruning(others, last).prune(merged);
    others.remove(manager);
    boolean changes = !Values.equal(next, old);

    Map<String, Comparison> comparisons = new HashMap<>();
    Comparison own = compare(old, next, version).without(version.reset());
    comparisons.put(version.apiVersion(), own);
    Map<Manager, Owned> left = new TreeMap<>();
    List<ConflictException.Conflict> conflicts = new ArrayList<>();
    others.forEach(
        (other, owned) -> {
          Comparison change = comparison(old, next, owned.apiVersion(), comparisons);
          if (change != null) {
            FieldSet disputed =
                owned.fields().intersection(change.modified().union(change.added()));
            for (FieldSet.Path path : disputed.paths()) {
              conflicts.add(
                  new ConflictException.Conflict(
                      other.printed(versions.printed(owned.apiVersion())), path));
            }
            keep(left, other, owned, disputed.union(change.removed()));
          }
        });
    if (!force && !conflicts.isEmpty()) {
      throw new ConflictException(conflicts);
    }
    FieldSet kept = set.difference(STRIPPED);
    if (!kept.isEmpty()) {
      // Who changes nothing has no time of its own: so upstream tells sharing from writing.
      String time = changes ? now : last == null ? null : last.time();
      left.put(manager, new Owned(kept, version.apiVersion(), time));
    }
    ObjectNode result = next.deepCopy();
    Removal.dropEmptied(result, version.schema());
    return new Applied(result, new ManagedFields(left));
  }

  /**
   * The fields in which a configuration that was applied by a client itself still is what the
   * object says.
   *
   * @param configuration of this version; need not fit its type
   */
  public FieldSet stillAsApplied(ObjectNode configuration, ObjectNode live) {
    Comparison change = compare(configuration, live, version);
    return ObjectFields.of(configuration, version.schema())
        .difference(change.modified())
        .difference(change.added())
        .difference(change.removed());
  }

  /**
   * Takes out of a merged object what its applier owned, does not apply any more, and nobody else
   * owns. Used once.
   */
  private final class Pruning {
    private final Map<Manager, Owned> managers;
    private final Owned last;

    /**
     * @param managers with what the applier owns from now on
     * @param last what it owned until now
     */
    Pruning(Map<Manager, Owned> managers, Owned last) {
      this.managers = managers;
      this.last = last;
    }

    ObjectNode prune(ObjectNode merged) {
      Version then = versions.at(last.apiVersion());
      if (then == null || last.fields().isEmpty()) {
        return merged;
      }
      Schema.Struct schema = then.schema();
      ObjectNode all = convert(merged, then.apiVersion());
      FieldSet owned = last.fields().withNamedFields(schema);
      ObjectNode pruned = Removal.without(all, owned, schema);
      pruned = addBackOwned(all, pruned, then);
      FieldSet gone = fields(all, then).difference(fields(pruned, then)).intersection(owned);
      ObjectNode left = Removal.without(all, gone, schema);
      // What is emptied stays as null for now: whoever owns it has not lost it.
      if (!then.apiVersion().equals(version.apiVersion())) {
        Removal.dropEmptied(left, schema);
      }
      return versions.convert(left, then.apiVersion(), version.apiVersion());
    }

    private static FieldSet fields(ObjectNode object, Version version) {
      return ObjectFields.of(object, version.schema()).withNamedFields(version.schema());
    }

    /** In the version that was pruned first: others may not be able to do without its fields. */
    private ObjectNode addBackOwned(ObjectNode all, ObjectNode pruned, Version then) {
      Map<String, FieldSet> byVersion = new TreeMap<>();
      for (Owned entry : managers.values()) {
        byVersion.merge(entry.apiVersion(), entry.fields(), FieldSet::union);
      }
      FieldSet same = byVersion.remove(then.apiVersion());
      ObjectNode left = same == null ? pruned : addBack(all, pruned, same, then);
      for (Map.Entry<String, FieldSet> other : byVersion.entrySet()) {
        Version served = versions.at(other.getKey());
        if (served != null) {
          ObjectNode there =
              addBack(
                  versions.convert(all, then.apiVersion(), served.apiVersion()),
                  versions.convert(left, then.apiVersion(), served.apiVersion()),
                  other.getValue(),
                  served);
          left = versions.convert(there, served.apiVersion(), then.apiVersion());
        }
      }
      return left;
    }

    private static ObjectNode addBack(
        ObjectNode all, ObjectNode pruned, FieldSet owned, Version version) {
      FieldSet kept = fields(pruned, version).union(owned.withNamedFields(version.schema()));
      return Removal.without(all, fields(all, version).difference(kept), version.schema());
    }
  }
}

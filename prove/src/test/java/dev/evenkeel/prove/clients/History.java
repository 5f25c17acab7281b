package dev.evenkeel.prove.clients;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What was written, as the server answered it, and what each watcher must have been told of it.
 *
 * <p>An object's name is used once, and one writer alone writes it, so its versions are a sequence.
 * The answer to a delete names no version; the watchers' events do, and all must name the same.
 */
final class History {

  /** An object as it was from one version on. */
  record Version(long version, String namespace, String name, String color) {}

  /** What a watcher was told, or must be. */
  record PlannedEvent(String type, String name, long version) {}

  private final Map<String, List<Version>> versions = new ConcurrentHashMap<>();
  private final Map<String, Boolean> deleted = new ConcurrentHashMap<>();

  void wrote(Version version) {
    versions.computeIfAbsent(version.name(), _ -> new CopyOnWriteArrayList<>()).add(version);
  }

  void deleted(String name) {
    deleted.put(name, true);
  }

  int writes() {
    return versions.values().stream().mapToInt(List::size).sum() + deleted.size();
  }

  /**
   * Holds what watchers recorded against what was written.
   *
   * @return what is wrong, empty if nothing is
   */
  List<String> faults(List<RecordingWatcher> watchers) {
    List<String> faults = new ArrayList<>();
    Map<String, Long> deletions = deletions(watchers, faults);
    for (RecordingWatcher watcher : watchers) {
      List<PlannedEvent> expected = expected(watcher.scope(), deletions);
      for (RecordingWatcher.Segment segment : watcher.segments()) {
        String fault = fault(segment, expected);
        if (fault != null) {
          faults.add(watcher + " after " + segment.start() + ": " + fault);
        }
      }
    }
    return faults;
  }

  private Map<String, Long> deletions(List<RecordingWatcher> watchers, List<String> faults) {
    Map<String, Long> deletions = new HashMap<>();
    for (RecordingWatcher watcher : watchers) {
      if (!watcher.seesAll()) {
        continue; // to others an object that leaves their scope is deleted too
      }
      for (RecordingWatcher.Segment segment : watcher.segments()) {
        for (PlannedEvent told : segment.told()) {
          Long other =
              told.type().equals("DELETED")
                  ? deletions.putIfAbsent(told.name(), told.version())
                  : null;
          if (other != null && other != told.version()) {
            faults.add(told + " was deleted at " + other + " to others");
          }
        }
      }
    }
    deleted.keySet().stream()
        .filter(name -> !deletions.containsKey(name))
        .forEach(name -> faults.add("nobody was told that " + name + " is gone"));
    return deletions;
  }

  private List<PlannedEvent> expected(Predicate<Version> scope, Map<String, Long> deletions) {
    List<PlannedEvent> expected = new ArrayList<>();
    versions.forEach(
        (name, all) -> {
          boolean was = false;
          for (Version version : all) {
            boolean is = scope.test(version);
            if (is || was) {
              String type = !was ? "ADDED" : is ? "MODIFIED" : "DELETED";
              expected.add(new PlannedEvent(type, name, version.version()));
            }
            was = is;
          }
          Long gone = deletions.get(name);
          if (was && gone != null) {
            expected.add(new PlannedEvent("DELETED", name, gone));
          }
        });
    expected.sort(Comparator.comparingLong(PlannedEvent::version));
    return expected;
  }

  private static @Nullable String fault(RecordingWatcher.Segment segment, List<PlannedEvent> all) {
    long last = segment.start();
    List<PlannedEvent> told = new ArrayList<>();
    for (PlannedEvent each : segment.told()) {
      boolean bookmark = each.type().equals("BOOKMARK");
      if (each.version() < last || (!bookmark && each.version() == last)) {
        return each + " came after version " + last;
      }
      last = each.version();
      if (!bookmark) {
        told.add(each);
      }
    }
    // What is over was told up to its last version; what goes on is to be told everything.
    long until = segment.isOver() ? last : Long.MAX_VALUE;
    List<PlannedEvent> expected =
        all.stream()
            .filter(each -> each.version() > segment.start() && each.version() <= until)
            .toList();
    for (int i = 0; i < Math.max(told.size(), expected.size()); i++) {
      PlannedEvent is = i < told.size() ? told.get(i) : null;
      PlannedEvent should = i < expected.size() ? expected.get(i) : null;
      if (is == null || !is.equals(should)) {
        return "event " + i + " is " + is + " and should be " + should;
      }
    }
    return null;
  }
}

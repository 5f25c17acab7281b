package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The slices of a service that have the same ports and addresses of one family. Endpoints are
 * spread over them so that as few as possible change: an endpoint stays where it is, slices that
 * change anyway are filled first, and slices are never evened out.
 */
final class SliceGroup {

  private final Family family;
  private final List<ObjectNode> ports;
  private final int endpointsMax;
  private final List<SliceDraft> there = new ArrayList<>();
  private final Map<String, ObjectNode> wanted = new LinkedHashMap<>();

  SliceGroup(Family family, List<ObjectNode> ports, int endpointsMax) {
    this.family = family;
    this.ports = ports;
    this.endpointsMax = endpointsMax;
  }

  void addSlice(SliceDraft slice) {
    there.add(slice);
  }

  void addEndpoint(ObjectNode endpoint) {
    wanted.put(key(endpoint), endpoint);
  }

  private static String key(JsonNode endpoint) {
    List<String> addresses = new ArrayList<>(1);
    endpoint.path("addresses").forEach(address -> addresses.add(Meta.text(address)));
    addresses.sort(Comparator.naturalOrder());
    JsonNode target = endpoint.path("targetRef");
    return String.join(
        "|",
        String.join(",", addresses),
        Meta.text(endpoint.path("hostname")),
        Meta.text(target.path("namespace")),
        Meta.text(target.path("name")));
  }

  /** What comes of it. */
  record Spread(List<SliceDraft> kept, List<SliceDraft> made, List<SliceDraft> unneeded) {}

  /** Where each endpoint goes; slices that then hold none are not needed any more. */
  Spread spread() {
    Map<String, ObjectNode> left = new LinkedHashMap<>(wanted);
    List<SliceDraft> kept = new ArrayList<>();
    List<SliceDraft> changing = new ArrayList<>();
    List<SliceDraft> unchanged = new ArrayList<>();
    List<SliceDraft> unneeded = new ArrayList<>();
    for (SliceDraft slice : there) {
      boolean changes = keepWanted(slice, left);
      if (slice.endpoints().isEmpty()) {
        unneeded.add(slice);
        continue;
      }
      kept.add(slice);
      (changes ? changing : unchanged).add(slice);
    }
    Iterator<ObjectNode> rest = left.values().iterator();
    int remaining = left.size();
    changing.sort(Comparator.comparingInt(it -> -it.endpoints().size()));
    for (SliceDraft slice : changing) {
      remaining -= fill(slice, rest);
    }
    List<SliceDraft> made = new ArrayList<>();
    while (remaining > 0) {
      SliceDraft slice = closestToFull(unchanged, remaining);
      if (slice == null) {
        slice = SliceDraft.empty(family, ports);
        made.add(slice);
      } else {
        unchanged.remove(slice);
      }
      remaining -= fill(slice, rest);
    }
    return new Spread(kept, made, unneeded);
  }

  /** Whether the slice changes by that. */
  private static boolean keepWanted(SliceDraft slice, Map<String, ObjectNode> left) {
    List<ObjectNode> stay = new ArrayList<>();
    boolean same = true;
    for (ObjectNode endpoint : slice.endpoints()) {
      ObjectNode found = left.remove(key(endpoint));
      if (found != null) {
        stay.add(found);
      }
      same &= endpoint.equals(found);
    }
    slice.endpoints(stay);
    return !same;
  }

  private int fill(SliceDraft slice, Iterator<ObjectNode> rest) {
    int added = 0;
    while (rest.hasNext() && slice.endpoints().size() < endpointsMax) {
      slice.endpoints().add(rest.next());
      added++;
    }
    return added;
  }

  /** The one that would have least room left if it took all of them; null if none can. */
  private @Nullable SliceDraft closestToFull(List<SliceDraft> slices, int count) {
    return slices.stream()
        .filter(it -> it.endpoints().size() + count <= endpointsMax)
        .max(Comparator.comparingInt(it -> it.endpoints().size()))
        .orElse(null);
  }
}

package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.ResourceColumns;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.NodeSelection;
import dev.evenkeel.decide.schedule.model.Shape;
import dev.evenkeel.decide.schedule.model.Taint;
import dev.evenkeel.decide.schedule.model.Toleration;
import dev.evenkeel.kernel.fit.Fit;
import dev.evenkeel.kernel.fit.Shortage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each node is to pods of one shape, seen from the node by itself: why it is none, or what it
 * is worth. Kept for the next pod of the shape, which then looks at the nodes that changed since.
 *
 * <p><b>Invariants</b>: after {@link #refresh}, all is as it would be if computed anew.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
final class ShapeState {

  private static final long MEGABYTE = 1024 * 1024;
  private static final long IMAGE_BYTES_MIN = 23 * MEGABYTE;
  private static final long IMAGE_BYTES_MAX = 1000 * MEGABYTE;
  private static final Taint UNSCHEDULABLE =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.Effect.NO_SCHEDULE);

  final Shape shape;
  private final Cluster cluster;
  private final Reasons reasons;
  private final ResourceScores scores;
  private final int fitWeight;
  private final int balanceWeight;
  private final int imageWeight;
  private final boolean toleratesUnschedulable;
  private final String[] resources;
  private final ResourceColumns.Column[] columns;
  private final long[] wanted;
  private final Map<Long, Integer> shortages = new HashMap<>();
  private final ShapeClaims claims;
  private final long[] nothing;

  /** Why the node is none whatever is on it; {@link Reasons#FITS} if only that matters. */
  private int[] fixed = new int[0];

  private int[] verdicts = new int[0];
  private int[] base = new int[0];
  private byte[] fit = new byte[0];
  private byte[] balance = new byte[0];
  private byte @Nullable [] image;
  private int[] unpreferred = new int[0];
  private int[] preferred = new int[0];
  private int[] counts = new int[16];
  private int unpreferredNodes;
  private long seen = -1;
  private long imagesSeen = -1;

  ShapeState(Shape shape, Profile profile, Cluster cluster, Reasons reasons) {
    this.shape = shape;
    this.cluster = cluster;
    this.reasons = reasons;
    this.scores = new ResourceScores(shape, profile.strategy(), cluster.resources);
    this.fitWeight = profile.weight(Plugins.NODE_RESOURCES_FIT);
    this.balanceWeight = scores.judgesBalance() ? profile.weight(Plugins.BALANCED_ALLOCATION) : 0;
    this.imageWeight = profile.weight(Plugins.IMAGE_LOCALITY);
    this.toleratesUnschedulable = Toleration.anyTolerates(shape.tolerations(), UNSCHEDULABLE);
    this.claims = new ShapeClaims(shape.claims(), cluster.claims);
    int amounts = shape.demand().amounts().size();
    nothing = new long[amounts];
    resources = new String[amounts];
    columns = new ResourceColumns.Column[amounts];
    wanted = new long[amounts];
    int at = 0;
    for (Map.Entry<String, Long> amount : shape.demand().amounts().entrySet()) {
      resources[at] = amount.getKey();
      columns[at] = cluster.resources.of(amount.getKey());
      wanted[at++] = amount.getValue();
    }
  }

  /** Looks at what changed; at everything if that is too much. */
  void refresh() {
    resize(cluster.slotsUsed());
    boolean claimsChanged = claims.refresh();
    if (claimsChanged || !cluster.log.reachesBackTo(seen)) {
      for (int slot = 0; slot < cluster.slotsUsed(); slot++) {
        evaluate(slot, true);
      }
    } else {
      for (long position = seen; position < cluster.log.next(); position++) {
        int slot = cluster.log.at(position);
        Slot changed = cluster.slotAt(slot);
        evaluate(slot, changed == null || changed.nodeChanged >= seen);
      }
    }
    seen = cluster.log.next();
    if (imagesSeen != cluster.images.version()) {
      imagesSeen = cluster.images.version();
      scoreImages();
    }
  }

  private void resize(int slots) {
    int before = verdicts.length;
    if (slots <= before) {
      return;
    }
    int size = Math.max(slots, before + before / 2);
    fixed = Arrays.copyOf(fixed, size);
    verdicts = Arrays.copyOf(verdicts, size);
    Arrays.fill(verdicts, before, size, Reasons.ABSENT);
    base = Arrays.copyOf(base, size);
    fit = Arrays.copyOf(fit, size);
    balance = Arrays.copyOf(balance, size);
    unpreferred = Arrays.copyOf(unpreferred, size);
    preferred = Arrays.copyOf(preferred, size);
    if (image != null) {
      image = Arrays.copyOf(image, size);
    }
  }

  private void evaluate(int number, boolean nodeChanged) {
    Slot slot = cluster.slotAt(number);
    NodeInfo node = slot == null ? null : slot.node;
    if (slot == null || node == null) {
      unpreferredNodes -= unpreferred[number] > 0 ? 1 : 0;
      unpreferred[number] = 0;
      set(number, Reasons.ABSENT);
      return;
    }
    if (nodeChanged) {
      evaluateNode(number, node);
    }
    int verdict = fixed[number];
    if (verdict == Reasons.FITS) {
      verdict = slot.excludes(shape.demand().ports()) ? Reasons.PORTS_TAKEN : room(number, nothing);
    }
    if (verdict == Reasons.FITS) {
      verdict = claims.verdict(node, 0);
    }
    set(number, verdict);
    if (verdict == Reasons.FITS) {
      score(number);
    }
  }

  private void set(int number, int verdict) {
    int before = verdicts[number];
    if (verdict != before) {
      if (verdict >= counts.length) {
        counts = Arrays.copyOf(counts, Math.max(verdict + 1, counts.length * 2));
      }
      counts[before]--;
      counts[verdict]++;
      verdicts[number] = verdict;
    }
  }

  private void evaluateNode(int number, NodeInfo node) {
    fixed[number] = fixedVerdict(node);
    unpreferredNodes -= unpreferred[number] > 0 ? 1 : 0;
    unpreferred[number] = Toleration.countUnpreferred(node.taints(), shape.tolerations());
    unpreferredNodes += unpreferred[number] > 0 ? 1 : 0;
    int sum = 0;
    for (int i = 0; i < shape.preferred().size(); i++) {
      NodeSelection.Preferred term = shape.preferred().get(i);
      sum += term.term().matches(node) ? term.weight() : 0;
    }
    preferred[number] = sum;
  }

  private int fixedVerdict(NodeInfo node) {
    if (node.unschedulable() && !toleratesUnschedulable) {
      return Reasons.UNSCHEDULABLE;
    }
    if (!shape.nodeName().isEmpty() && !shape.nodeName().equals(node.name())) {
      return Reasons.OTHER_NAME;
    }
    Taint taint = Toleration.firstUntolerated(node.taints(), shape.tolerations());
    if (taint != null) {
      return reasons.taint(taint);
    }
    return shape.selection().matches(node) ? Reasons.FITS : Reasons.NOT_SELECTED;
  }

  /**
   * Whether there is room.
   *
   * @param more what is taken beyond what is known, by the order of the shape's resources
   */
  int room(int slot, long[] more) {
    if (!cluster.resources.reported(slot)) {
      return Reasons.UNREPORTED;
    }
    for (int i = 0; i < columns.length; i++) {
      if (lacks(slot, i, more)) {
        return shortage(slot, more);
      }
    }
    return Reasons.FITS;
  }

  private boolean lacks(int slot, int i, long[] more) {
    return Fit.lacks(wanted[i], columns[i].used(slot) + more[i], columns[i].capacity(slot));
  }

  /** All that is lacking, not only the first: one who adds that would be told the next. */
  private int shortage(int slot, long[] more) {
    long mask = 0;
    boolean isFinal = false;
    for (int i = 0; i < columns.length; i++) {
      if (lacks(slot, i, more)) {
        mask |= bit(i);
        isFinal |= wanted[i] > columns[i].capacity(slot);
      }
    }
    long key = mask | (isFinal ? 1 : 0);
    Integer known = shortages.get(key);
    if (known == null) {
      List<String> messages = new ArrayList<>(1);
      for (int i = 0; i < columns.length; i++) {
        if ((mask & bit(i)) != 0) {
          messages.add(new Shortage.Insufficient(resources[i], wanted[i], 0, 0).message());
        }
      }
      known = reasons.shortage(messages, isFinal);
      shortages.put(key, known);
    }
    return known;
  }

  /** The lowest is for what is final; beyond the highest all are told together. */
  private static long bit(int resource) {
    return 2L << Math.min(resource, 62);
  }

  private void score(int slot) {
    fit[slot] = (byte) scores.fit(slot);
    balance[slot] = (byte) (balanceWeight == 0 ? 0 : scores.balanced(slot));
    sum(slot);
  }

  private void sum(int slot) {
    base[slot] =
        fit[slot] * fitWeight
            + balance[slot] * balanceWeight
            + (image == null ? 0 : image[slot] * imageWeight);
  }

  private void scoreImages() {
    byte[] before = image;
    image = cluster.images.hasAny(shape.images()) ? new byte[verdicts.length] : null;
    if (before == null && image == null) {
      return;
    }
    for (int slot = 0; slot < cluster.slotsUsed(); slot++) {
      Slot at = cluster.slotAt(slot);
      if (image != null && at != null && at.node != null) {
        image[slot] = imageScore(at.node);
      }
      sum(slot);
    }
  }

  private byte imageScore(NodeInfo node) {
    long sum = 0;
    for (String name : shape.images()) {
      Long bytes = node.images().get(name);
      if (bytes != null) {
        double spread = (double) cluster.images.nodesWith(name) / cluster.nodes();
        sum += (long) (bytes * spread);
      }
    }
    long most = IMAGE_BYTES_MAX * shape.images().size();
    long bounded = Math.max(IMAGE_BYTES_MIN, Math.min(most, sum));
    return (byte) (100 * (bounded - IMAGE_BYTES_MIN) / (most - IMAGE_BYTES_MIN));
  }

  /** By slot; to be read only. */
  int[] verdicts() {
    return verdicts;
  }

  /** By slot, of the nodes that fit: all that needs no comparison with other nodes. */
  int[] base() {
    return base;
  }

  /** Why the node is none whatever is on it; {@link Reasons#FITS} if only that matters. */
  int fixed(int slot) {
    return fixed[slot];
  }

  int volumeVerdict(int slot, int moreUses) {
    Slot at = cluster.slotAt(slot);
    return at == null || at.node == null ? Reasons.ABSENT : claims.verdict(at.node, moreUses);
  }

  ShapeClaims claims() {
    return claims;
  }

  /** Resources that the shape wants. */
  int resources() {
    return resources.length;
  }

  String resource(int i) {
    return resources[i];
  }

  /** How many nodes have this verdict. */
  int count(int verdict) {
    return verdict < counts.length ? counts[verdict] : 0;
  }

  boolean hasUnpreferred() {
    return unpreferredNodes > 0;
  }

  int unpreferred(int slot) {
    return unpreferred[slot];
  }

  int preferred(int slot) {
    return preferred[slot];
  }

  int fitPoints(int slot) {
    return fit[slot] * fitWeight;
  }

  int balancePoints(int slot) {
    return balance[slot] * balanceWeight;
  }

  int imagePoints(int slot) {
    return image == null ? 0 : image[slot] * imageWeight;
  }
}

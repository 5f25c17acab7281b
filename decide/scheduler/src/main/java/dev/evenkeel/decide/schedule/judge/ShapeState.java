package dev.evenkeel.decide.schedule.judge;

import dev.evenkeel.decide.schedule.column.Columns;
import dev.evenkeel.decide.schedule.column.ResourceColumns;
import dev.evenkeel.decide.schedule.column.Slot;
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
public final class ShapeState {

  private static final long MEGABYTE = 1024 * 1024;
  private static final long IMAGE_BYTES_MIN = 23 * MEGABYTE;
  private static final long IMAGE_BYTES_MAX = 1000 * MEGABYTE;
  private static final Taint UNSCHEDULABLE =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.Effect.NO_SCHEDULE);

  /** Slots with the same higher bits are a block. */
  public static final int BLOCK_BITS = 7;

  private final Shape shape;
  private final Columns columns;
  private final Reasons reasons;
  private final ResourceScores scores;
  private final int fitWeight;
  private final int balanceWeight;
  private final int imageWeight;
  private final boolean toleratesUnschedulable;
  private final String[] resources;
  private final ResourceColumns.Column[] amounts;
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

  /** By slot; null where there is nothing to say of any. */
  private int @Nullable [] unpreferred;

  private int @Nullable [] preferred;
  private int[] counts = new int[16];

  /** By block of slots: the most that a node in it is worth; to be found anew if it is stale. */
  private int[] blockBest = new int[0];

  private boolean[] blockStale = new boolean[0];
  private int unpreferredNodes;
  private long seen = -1;
  private long imagesSeen = -1;

  public ShapeState(Shape shape, Weights weights, Columns columns, Reasons reasons) {
    this.shape = shape;
    this.columns = columns;
    this.reasons = reasons;
    this.scores = new ResourceScores(shape, weights.strategy(), columns.resources());
    this.fitWeight = weights.of(PluginNames.NODE_RESOURCES_FIT);
    this.balanceWeight = scores.judgesBalance() ? weights.of(PluginNames.BALANCED_ALLOCATION) : 0;
    this.imageWeight = weights.of(PluginNames.IMAGE_LOCALITY);
    this.toleratesUnschedulable = Toleration.anyTolerates(shape.tolerations(), UNSCHEDULABLE);
    this.claims = new ShapeClaims(shape.claims(), columns.claims());
    int count = shape.demand().amounts().size();
    nothing = new long[count];
    resources = new String[count];
    this.amounts = new ResourceColumns.Column[count];
    wanted = new long[count];
    int at = 0;
    for (Map.Entry<String, Long> amount : shape.demand().amounts().entrySet()) {
      resources[at] = amount.getKey();
      this.amounts[at] = columns.resources().of(amount.getKey());
      wanted[at++] = amount.getValue();
    }
  }

  /** Looks at what changed; at everything if that is too much. */
  public void refresh() {
    resize(columns.slotsUsed());
    boolean claimsChanged = claims.refresh();
    if (claimsChanged || !columns.log().reachesBackTo(seen)) {
      for (int slot = 0; slot < columns.slotsUsed(); slot++) {
        evaluate(slot, true);
      }
    } else {
      for (long position = seen; position < columns.log().next(); position++) {
        int slot = columns.log().at(position);
        Slot changed = columns.slotAt(slot);
        evaluate(slot, changed == null || changed.nodeChanged() >= seen);
      }
    }
    seen = columns.log().next();
    if (imagesSeen != columns.images().version()) {
      imagesSeen = columns.images().version();
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
    blockBest = Arrays.copyOf(blockBest, (size >> BLOCK_BITS) + 1);
    blockStale = Arrays.copyOf(blockStale, blockBest.length);
    Arrays.fill(blockStale, true);
    fit = Arrays.copyOf(fit, size);
    balance = Arrays.copyOf(balance, size);
    if (unpreferred != null) {
      unpreferred = Arrays.copyOf(unpreferred, size);
    }
    if (!shape.preferred().isEmpty()) {
      preferred = preferred == null ? new int[size] : Arrays.copyOf(preferred, size);
    }
    if (image != null) {
      image = Arrays.copyOf(image, size);
    }
  }

  private void evaluate(int number, boolean nodeChanged) {
    Slot slot = columns.slotAt(number);
    NodeInfo node = slot == null ? null : slot.node();
    if (slot == null || node == null) {
      setUnpreferred(number, 0);
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
    blockStale[number >> BLOCK_BITS] = true;
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
    setUnpreferred(number, Toleration.countUnpreferred(node.taints(), shape.tolerations()));
    if (preferred == null) {
      return;
    }
    int sum = 0;
    for (int i = 0; i < shape.preferred().size(); i++) {
      NodeSelection.Preferred term = shape.preferred().get(i);
      sum += term.term().matches(node) ? term.weight() : 0;
    }
    preferred[number] = sum;
  }

  private void setUnpreferred(int number, int taints) {
    if (unpreferred == null) {
      if (taints == 0) {
        return;
      }
      unpreferred = new int[verdicts.length];
    }
    unpreferredNodes += (taints > 0 ? 1 : 0) - (unpreferred[number] > 0 ? 1 : 0);
    unpreferred[number] = taints;
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
  public int room(int slot, long[] more) {
    if (!columns.resources().reported(slot)) {
      return Reasons.UNREPORTED;
    }
    for (int i = 0; i < amounts.length; i++) {
      if (lacks(slot, i, more)) {
        return shortage(slot, more);
      }
    }
    return Reasons.FITS;
  }

  private boolean lacks(int slot, int i, long[] more) {
    return Fit.lacks(wanted[i], amounts[i].used(slot) + more[i], amounts[i].capacity(slot));
  }

  /** All that is lacking, not only the first: one who adds that would be told the next. */
  private int shortage(int slot, long[] more) {
    long mask = 0;
    boolean isFinal = false;
    for (int i = 0; i < amounts.length; i++) {
      if (lacks(slot, i, more)) {
        mask |= bit(i);
        isFinal |= wanted[i] > amounts[i].capacity(slot);
      }
    }
    long key = mask | (isFinal ? 1 : 0);
    Integer known = shortages.get(key);
    if (known == null) {
      List<String> messages = new ArrayList<>(1);
      for (int i = 0; i < amounts.length; i++) {
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
    image = columns.images().hasAny(shape.images()) ? new byte[verdicts.length] : null;
    if (before == null && image == null) {
      return;
    }
    Arrays.fill(blockStale, true);
    for (int slot = 0; slot < columns.slotsUsed(); slot++) {
      Slot at = columns.slotAt(slot);
      if (image != null && at != null && at.node() != null) {
        image[slot] = imageScore(at.node());
      }
      sum(slot);
    }
  }

  private byte imageScore(NodeInfo node) {
    long sum = 0;
    for (String name : shape.images()) {
      Long bytes = node.images().get(name);
      if (bytes != null) {
        double spread = (double) columns.images().nodesWith(name) / columns.nodes();
        sum += (long) (bytes * spread);
      }
    }
    long most = IMAGE_BYTES_MAX * shape.images().size();
    long bounded = Math.max(IMAGE_BYTES_MIN, Math.min(most, sum));
    return (byte) (100 * (bounded - IMAGE_BYTES_MIN) / (most - IMAGE_BYTES_MIN));
  }

  public Shape shape() {
    return shape;
  }

  /** By slot; to be read only. */
  public int[] verdicts() {
    return verdicts;
  }

  /** By slot, of the nodes that fit: all that needs no comparison with other nodes. */
  public int[] base() {
    return base;
  }

  /** Why the node is none whatever is on it; {@link Reasons#FITS} if only that matters. */
  public int fixed(int slot) {
    return fixed[slot];
  }

  public int volumeVerdict(int slot, int moreUses) {
    Slot at = columns.slotAt(slot);
    return at == null || at.node() == null ? Reasons.ABSENT : claims.verdict(at.node(), moreUses);
  }

  public ShapeClaims claims() {
    return claims;
  }

  /** Resources that the shape wants. */
  public int resources() {
    return resources.length;
  }

  public String resource(int i) {
    return resources[i];
  }

  /** The most that a node of the block is worth; below zero if none fits. */
  public int blockBest(int block) {
    if (blockStale[block]) {
      int best = -1;
      int end = Math.min((block + 1) << BLOCK_BITS, columns.slotsUsed());
      for (int slot = block << BLOCK_BITS; slot < end; slot++) {
        if (verdicts[slot] == Reasons.FITS && base[slot] > best) {
          best = base[slot];
        }
      }
      blockBest[block] = best;
      blockStale[block] = false;
    }
    return blockBest[block];
  }

  /** How many nodes have this verdict. */
  public int count(int verdict) {
    return verdict < counts.length ? counts[verdict] : 0;
  }

  public boolean hasUnpreferred() {
    return unpreferredNodes > 0;
  }

  public int unpreferred(int slot) {
    return unpreferred == null ? 0 : unpreferred[slot];
  }

  public int preferred(int slot) {
    return preferred == null ? 0 : preferred[slot];
  }

  public int fitPoints(int slot) {
    return fit[slot] * fitWeight;
  }

  public int balancePoints(int slot) {
    return balance[slot] * balanceWeight;
  }

  public int imagePoints(int slot) {
    return image == null ? 0 : image[slot] * imageWeight;
  }
}

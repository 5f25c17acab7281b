package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.fit.BindingNotes;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pod as schedulers see it. Never changed. Two are the same if they are the same version of the
 * same pod.
 */
public final class PodInfo {

  /** The label that makes a pod one of a group. */
  public static final String GROUP_KEY = BindingNotes.GROUP;

  /** Whether a pod may have others removed. */
  public enum PreemptionPolicy {
    LOWER_PRIORITY,
    NEVER
  }

  /**
   * Who and where.
   *
   * @param version the object's
   * @param nodeName empty if it is bound to none
   * @param nominatedNode where others were removed for it; empty if nowhere
   */
  record Identity(
      String namespace,
      String name,
      String uid,
      long version,
      String schedulerName,
      String nodeName,
      String nominatedNode,
      String group) {}

  /** How it came and goes. */
  record Life(
      Instant created,
      @Nullable Instant started,
      boolean ended,
      boolean deleting,
      boolean preempted) {}

  /** What it has to say in the queue. */
  record Standing(int priority, PreemptionPolicy policy, List<String> gates) {}

  private final Identity identity;
  private final Life life;
  private final Standing standing;
  private final Map<String, String> labels;
  private final Shape shape;
  private final List<SpreadConstraint> constraints;
  private final PodTerms terms;
  private final @Nullable LabelSelector siblings;
  private final String key;

  PodInfo(
      Identity identity,
      Life life,
      Standing standing,
      Map<String, String> labels,
      Shape shape,
      List<SpreadConstraint> constraints,
      PodTerms terms,
      @Nullable LabelSelector siblings) {
    this.identity = identity;
    this.life = life;
    this.standing = standing;
    this.labels = Map.copyOf(labels);
    this.shape = shape;
    this.constraints = List.copyOf(constraints);
    this.terms = terms;
    this.siblings = siblings;
    this.key = identity.namespace + "/" + identity.name;
  }

  public static PodInfo of(ObjectNode pod) {
    return new PodReader(pod).read();
  }

  PodInfo sharing(Shape other, Map<String, String> otherLabels, PodTerms otherTerms) {
    return new PodInfo(
        identity, life, standing, otherLabels, other, constraints, otherTerms, siblings);
  }

  /** {@code namespace/name}. */
  public String key() {
    return key;
  }

  public String namespace() {
    return identity.namespace;
  }

  public String name() {
    return identity.name;
  }

  public String uid() {
    return identity.uid;
  }

  public long version() {
    return identity.version;
  }

  public String schedulerName() {
    return identity.schedulerName;
  }

  /** Empty if it is bound to none. */
  public String nodeName() {
    return identity.nodeName;
  }

  /** Where others were removed to make room for it; empty if nowhere. */
  public String nominatedNode() {
    return identity.nominatedNode;
  }

  /** The name of its group; empty if it is in none. */
  public String group() {
    return identity.group;
  }

  public Map<String, String> labels() {
    return labels;
  }

  public int priority() {
    return standing.priority;
  }

  public PreemptionPolicy preemptionPolicy() {
    return standing.policy;
  }

  /** Names of what has to be taken away before it is placed. */
  public List<String> gates() {
    return standing.gates;
  }

  public Instant created() {
    return life.created;
  }

  /** When its node took it up; null before. */
  public @Nullable Instant started() {
    return life.started;
  }

  /** Whether nothing of it runs any more, or will. */
  public boolean hasEnded() {
    return life.ended;
  }

  public boolean isDeleting() {
    return life.deleting;
  }

  /** Whether a scheduler had it removed to make room. */
  public boolean isPreempted() {
    return life.preempted;
  }

  public Shape shape() {
    return shape;
  }

  public Demand demand() {
    return shape.demand();
  }

  /** Those it says itself, required and preferred ones in its order. */
  public List<SpreadConstraint> constraints() {
    return constraints;
  }

  public PodTerms terms() {
    return terms;
  }

  /** Selects the pods of the same controller; null if it has none that keeps equal pods. */
  public @Nullable LabelSelector siblings() {
    return siblings;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof PodInfo pod
            && identity.uid.equals(pod.identity.uid)
            && identity.version == pod.identity.version
            && key.equals(pod.key));
  }

  @Override
  public int hashCode() {
    return identity.uid.hashCode();
  }

  @Override
  public String toString() {
    return key;
  }
}

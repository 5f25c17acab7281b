package dev.evenkeel.kernel.fit;

/** Annotations by which a Binding says more than Kubernetes' own: names that both sides share. */
public final class BindingNotes {

  /** The version that the placement was decided on. */
  public static final String OBSERVED = "evenkeel.dev/observed-version";

  /** More nodes, divided by commas, of which the first that is enough is taken. */
  public static final String CANDIDATES = "evenkeel.dev/candidates";

  /** The same for every try of one placement. */
  public static final String OPERATION = "evenkeel.dev/operation";

  /** The group that a pod is placed with: a label of the pod. */
  public static final String GROUP = "evenkeel.dev/pod-group";

  private BindingNotes() {}
}

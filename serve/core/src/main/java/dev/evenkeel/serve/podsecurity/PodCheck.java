package dev.evenkeel.serve.podsecurity;

import org.jspecify.annotations.Nullable;

/** One thing that pods must not do. */
@FunctionalInterface
interface PodCheck {

  /** What is wrong with the pod, null if nothing is. */
  @Nullable Violation check(CheckedPod pod);

  /** The same for pods that do not say they are for Windows, where it means nothing. */
  default PodCheck unlessWindows() {
    return pod -> pod.isWindows() ? null : check(pod);
  }
}

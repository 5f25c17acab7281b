package dev.evenkeel.decide.controllers.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How long a job waits after failures before it makes new pods: longer with each, and not at all
 * after a success. What it needs it reads from the pods that are there, so a restart forgets
 * nothing.
 */
final class Retries {

  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private Retries() {}

  /** How long the whole job still waits; zero if it does not. */
  static Duration left(List<JobPod> pods, JobSpec spec, Instant now) {
    Instant lastSuccess = Instant.MIN;
    for (JobPod pod : pods) {
      if (pod.isSucceeded() && pod.finished().isAfter(lastSuccess)) {
        lastSuccess = pod.finished();
      }
    }
    int failures = 0;
    Instant last = Instant.MIN;
    for (JobPod pod : pods) {
      Instant finished = pod.finished();
      if (pod.isFailed(spec) && finished.isAfter(lastSuccess)) {
        failures++;
        last = finished.isAfter(last) ? finished : last;
      }
    }
    return left(failures, last, now);
  }

  /**
   * How long an index still waits.
   *
   * @param failed its last pod
   */
  static Duration left(JobPod failed, Instant now) {
    return left(allFailures(failed) + 1, failed.finished(), now);
  }

  private static Duration left(int failures, Instant last, Instant now) {
    if (failures == 0) {
      return Duration.ZERO;
    }
    Duration wait = FIRST;
    for (int i = 1; i < failures && wait.compareTo(LONGEST) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    Duration limited = wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    Duration left = Duration.between(now, last.plus(limited));
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static int allFailures(JobPod pod) {
    return pod.failures() + pod.ignoredFailures();
  }

  /** Whether a failed pod of an index is the later one of two. */
  static boolean knowsMore(JobPod pod, JobPod other) {
    int failures = Integer.compare(allFailures(pod), allFailures(other));
    int finished = pod.finished().compareTo(other.finished());
    if (failures != 0) {
      return failures > 0;
    }
    return finished != 0 ? finished > 0 : pod.seen().name().compareTo(other.seen().name()) > 0;
  }
}

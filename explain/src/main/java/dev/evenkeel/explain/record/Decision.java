package dev.evenkeel.explain.record;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One look at one object, from the wake-up to what came of it. It names what was read and in which
 * version, not what stood there: with the versions it can be read again.
 *
 * @param id unique in the log that keeps it
 * @param controller who decided
 * @param subject about what
 * @param begun when the object was taken up
 * @param took from then until the last action had ended
 * @param waking why, and where the time before went
 * @param reads in the order they were made
 * @param evaluation what was weighed, where a decision is a choice; null where it is not
 * @param actions in the order they were carried out
 * @param outcome how it ended
 * @param next when to look again; null if only when something changes
 */
public record Decision(
    String id,
    String controller,
    Subject subject,
    Instant begun,
    Duration took,
    Waking waking,
    List<Read> reads,
    @Nullable Evaluation evaluation,
    List<ActionRecord> actions,
    Outcome outcome,
    @Nullable Next next) {

  public Decision {
    reads = List.copyOf(reads);
    actions = List.copyOf(actions);
  }

  /**
   * The object.
   *
   * @param namespace empty for an object in none
   * @param uid empty if the object was gone
   * @param generation 0 if it counts none
   * @param version of the object as it was seen; 0 if it was gone
   */
  public record Subject(
      String apiVersion,
      String kind,
      String namespace,
      String name,
      String uid,
      long generation,
      long version) {

    /** As people type it: {@code deployment/web}. */
    public String shown() {
      return kind.toLowerCase(java.util.Locale.ROOT) + "/" + name;
    }
  }

  /**
   * Why it was looked at.
   *
   * @param reasons oldest first, some may be left out
   * @param wakeUps how many there were
   * @param attempt 1 unless earlier ones failed
   */
  public record Waking(
      List<Reason> reasons,
      int wakeUps,
      int attempt,
      Duration waited,
      Duration delayed,
      Duration backedOff,
      Duration gated) {

    public Waking {
      reasons = List.copyOf(reasons);
    }
  }

  /** What woke it: a word for the sort, and a text. */
  public record Reason(String kind, String text) {}

  /**
   * What was read.
   *
   * @param kind as {@code pods} or {@code deployments.apps}
   * @param query what was asked for, for example {@code owner=UID}
   * @param version of the cache that answered; of the object if the authority did
   * @param found how many objects
   */
  public record Read(String kind, String query, long version, int found, boolean fromAuthority) {}

  /**
   * What was weighed.
   *
   * @param rejections how many candidates fell at which stage and why, with some of their names
   * @param scores the best, with what they are made of
   */
  public record Evaluation(List<Rejection> rejections, List<Score> scores) {
    public Evaluation {
      rejections = List.copyOf(rejections);
      scores = List.copyOf(scores);
    }
  }

  /** Candidates that fell for one reason. */
  public record Rejection(String stage, String reason, int count, List<String> samples) {
    public Rejection {
      samples = List.copyOf(samples);
    }
  }

  /** A candidate that was left. */
  public record Score(String candidate, double total, List<Part> parts) {
    public Score {
      parts = List.copyOf(parts);
    }

    /** What one judge gave. */
    public record Part(String judge, double points) {}
  }

  /**
   * What was done.
   *
   * @param verb {@code create}, {@code apply}, {@code patch}, {@code status}, {@code delete}, or
   *     {@code effect} and {@code withdraw} for what is no object
   * @param target as {@code pods web-1} with its namespace
   * @param because the reconciler's reason
   * @param preconditions what had to hold, for example {@code version 17}
   * @param result what came of it
   * @param version the object has now; 0 if none is known
   * @param detail what the server said, where it refused
   */
  public record ActionRecord(
      String verb,
      String target,
      String because,
      String preconditions,
      Result result,
      long version,
      String detail) {

    /** How an action ended. */
    public enum Result {
      DONE,
      /** It was as wanted already. */
      UNCHANGED,
      /** What it was decided on does not hold any more. */
      CONFLICT,
      REFUSED,
      /** Nobody knows; the object was read again. */
      UNKNOWN,
      /** An action before it did not succeed. */
      SKIPPED
    }
  }

  /** How it ended. */
  public record Outcome(Kind kind, String detail) {

    /** In a word. */
    public enum Kind {
      /** All is as it should be. */
      SETTLED,
      /** Something was done. */
      ACTED,
      /** It has to be looked at again, for what it waits for is not here yet. */
      WAITING,
      /** Somebody else was faster. */
      CONFLICT,
      FAILED,
      /** The object is gone. */
      GONE
    }
  }

  /** When to look again, and why. */
  public record Next(Instant at, String why) {}
}

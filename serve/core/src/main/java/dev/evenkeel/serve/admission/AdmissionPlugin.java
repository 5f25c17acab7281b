package dev.evenkeel.serve.admission;

import java.util.List;
import java.util.Set;

/**
 * One rule about what is let in. It may be asked several times about one write, when the object was
 * changed by others meanwhile; so it changes nothing but what it is given, and changing twice is
 * the same as changing once.
 *
 * <p>A plugin that needs somebody outside of the server throws {@link AnswerAwaited} and is asked
 * again when the answer is there.
 */
public interface AdmissionPlugin {

  /** Upstream's name, where it is upstream's. */
  String name();

  /** Which writes it changes. */
  default List<Interest> mutates() {
    return List.of();
  }

  /** Which writes it judges. */
  default List<Interest> validates() {
    return List.of();
  }

  /** What it reads beside the object. It is there before the write is looked at. */
  default Set<Resource> reads() {
    return Set.of();
  }

  /**
   * Whether it runs what users wrote, and so may take long. Then it is not asked on the threads
   * that serve connections.
   */
  default boolean mayTakeLong() {
    return false;
  }

  /**
   * Changes the object, or throws the refusal. Defaults have been filled in, and will be again;
   * nothing has been validated but the types.
   */
  default void mutate(AdmissionRequest request) {}

  /** Looks once more at what others changed after it did. */
  default void mutateAgain(AdmissionRequest request) {
    mutate(request);
  }

  /**
   * Whether it may also refuse when it is asked to change: then it is asked about writes that
   * nobody can change, such as deletes.
   */
  default boolean refusesWhenChanging() {
    return false;
  }

  /** Throws the refusal, if any. The object is valid and complete. */
  default void validate(AdmissionRequest request) {}
}

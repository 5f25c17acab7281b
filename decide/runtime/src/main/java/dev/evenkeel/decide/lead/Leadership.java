package dev.evenkeel.decide.lead;

import org.jspecify.annotations.Nullable;

/**
 * Whether one may act.
 *
 * <p><b>Threading:</b> for any thread.
 */
public interface Leadership {

  /** Of somebody who is alone: always. */
  Leadership ALONE =
      new Leadership() {
        @Override
        public Term term() {
          return Term.ALONE;
        }

        @Override
        public void listen(Runnable changed) {}

        @Override
        public void doubt(Term term) {}
      };

  /** The term that lasts; null while another leads, or nobody knows. */
  @Nullable Term term();

  /** Calls, on any thread, whenever the term has begun or ended. */
  void listen(Runnable changed);

  /** A server says that the term is over. */
  void doubt(Term term);

  /** Whether a term that was begun still lasts. */
  default boolean holds(Term term) {
    return term.equals(term());
  }
}

package dev.evenkeel.store.testkit.outside;

/** The pause between two looks at another process, which cannot tell us when it is ready. */
final class Waiting {

  private Waiting() {}

  static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a process", e);
    }
  }
}

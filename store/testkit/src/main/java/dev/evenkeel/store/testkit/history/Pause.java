package dev.evenkeel.store.testkit.history;

/** The pause before trying again while a store is being restarted. */
final class Pause {

  private Pause() {}

  static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}

package dev.evenkeel.serve.cache;

import java.time.Duration;

/** How often a cache looks at what depends on time alone. */
final class Ticks {

  static final Duration INTERVAL = Duration.ofSeconds(1);

  private Ticks() {}
}

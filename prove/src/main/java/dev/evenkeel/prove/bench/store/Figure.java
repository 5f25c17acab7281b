package dev.evenkeel.prove.bench.store;

import java.util.Locale;

/** What is measured, in the order of the table. */
enum Figure {
  COMMITS_PER_SECOND("commits a second", 0),
  COMMIT_P50_MILLIS("  p50, ms", 2),
  COMMIT_P99_MILLIS("  p99, ms", 2),
  COMMIT_CPU_MICROS("  CPU a commit, µs", 0),
  READS_PER_SECOND("point reads a second", 0),
  READS_UNCACHED_PER_SECOND("  without cached values", 0),
  RANGE_KEYS_PER_SECOND("keys ranged over a second", 0),
  WATCHED_COMMITS_PER_SECOND("commits a second, 1,000 prefixes watched", 0),
  FEEDS_PER_COMMIT("  batches delivered a commit", 2),
  HEAP_BYTES_PER_KEY("heap bytes a key, no values cached", 0),
  DISK_BYTES_PER_KEY("disk bytes a key", 0),
  START_MILLIS("start, ms", 0);

  private final String title;
  private final int decimals;

  Figure(String title, int decimals) {
    this.title = title;
    this.decimals = decimals;
  }

  String title() {
    return title;
  }

  String format(double value) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}

package dev.evenkeel.operate.up;

import dev.evenkeel.serve.ServerLimits;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.cache.CacheLimits;
import dev.evenkeel.serve.http.limit.HttpLimits;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A limit that {@code up} can be told with {@code --limit NAME=VALUE}. Its name is also its label
 * in {@code /metrics}.
 */
enum Limit {
  /** Reads under way, without watches. */
  READS(Kind.COUNT),
  /** Writes under way. */
  WRITES(Kind.COUNT),
  /** Open watches of all kinds. */
  WATCHES(Kind.COUNT),
  /** Open watches of one kind. */
  WATCHES_PER_KIND(Kind.COUNT),
  /** One request's body. */
  REQUEST_BYTES(Kind.BYTES),
  /** How long a request may take, without watches. */
  REQUEST_TIME(Kind.TIME),
  /** How long a read waits for the version it asks for. */
  WAIT_TIME(Kind.TIME),
  /** How many changes of a kind a watcher may lag behind. */
  WINDOW_EVENTS(Kind.COUNT),
  /** What they may add up to. */
  WINDOW_BYTES(Kind.BYTES),
  /** How old they may get. */
  WINDOW_TIME(Kind.TIME),
  /** How much history the store keeps; 0 for all of it. */
  HISTORY_TIME(Kind.TIME),
  /** Open connections. */
  CONNECTIONS(Kind.COUNT);

  private enum Kind {
    COUNT,
    BYTES,
    TIME
  }

  /**
   * A limit and what it is to be.
   *
   * @param value a number, bytes, or milliseconds
   */
  record Setting(Limit limit, long value) {

    /**
     * @throws IllegalArgumentException if it is none; the message is for whoever typed it
     */
    static Setting parse(String text) {
      int equals = text.indexOf('=');
      String name = equals < 0 ? text : text.substring(0, equals);
      for (Limit limit : Limit.values()) {
        if (limit.label().equals(name) && equals >= 0) {
          return new Setting(limit, limit.value(text.substring(equals + 1)));
        }
      }
      throw new IllegalArgumentException(
          "'" + text + "' is no limit; write NAME=VALUE with one of the names " + names());
    }
  }

  /** All that can be told from outside. */
  record Settings(ServerSettings server, HttpLimits http) {

    Settings with(List<Setting> changes) {
      Settings changed = this;
      for (Setting change : changes) {
        changed = change.limit().set(changed, change.value());
      }
      return changed;
    }

    private Settings withLimits(ServerLimits limits) {
      return new Settings(server.withLimits(limits), http);
    }

    private Settings withCache(CacheLimits cache) {
      return new Settings(server.withCache(cache), http);
    }
  }

  private final Kind kind;

  Limit(Kind kind) {
    this.kind = kind;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static String names() {
    return Arrays.stream(values()).map(Limit::label).collect(Collectors.joining(", "));
  }

  private Settings set(Settings settings, long value) {
    ServerLimits limits = settings.server.limits();
    CacheLimits cache = settings.server.cache();
    Duration time = Duration.ofMillis(value);
    return switch (this) {
      case READS -> settings.withLimits(limits.withReadsMax((int) value));
      case WRITES -> settings.withLimits(limits.withWritesMax((int) value));
      case WATCHES -> settings.withLimits(limits.withWatchesMax((int) value));
      case WATCHES_PER_KIND -> settings.withCache(cache.withWatchesMax((int) value));
      case REQUEST_BYTES ->
          new Settings(
              settings.server.withLimits(limits.withRequestBytesMax((int) value)),
              settings.http.withBodyBytesMax(
                  (int) value, Math.max(value, settings.http.pendingBodyBytesMax())));
      case REQUEST_TIME -> settings.withLimits(limits.withRequestTime(time));
      case WAIT_TIME -> settings.withCache(cache.withWaitMax(time));
      case WINDOW_EVENTS -> settings.withCache(cache.withWindowEventsMax((int) value));
      case WINDOW_BYTES -> settings.withCache(cache.withWindowBytesMax(value));
      case WINDOW_TIME -> settings.withCache(cache.withWindowAge(time));
      case HISTORY_TIME -> new Settings(settings.server.withCompaction(time), settings.http);
      case CONNECTIONS ->
          new Settings(settings.server, settings.http.withConnectionsMax((int) value));
    };
  }

  private long value(String text) {
    long most = kind == Kind.COUNT || this == REQUEST_BYTES ? Integer.MAX_VALUE : Long.MAX_VALUE;
    long least = this == HISTORY_TIME ? 0 : 1;
    try {
      long value =
          switch (kind) {
            case COUNT -> Long.parseLong(text);
            case BYTES ->
                scaled(text, List.of("Gi", "Mi", "Ki"), List.of(1L << 30, 1L << 20, 1L << 10));
            case TIME ->
                scaled(
                    text, List.of("ms", "h", "m", "s"), List.of(1L, 3_600_000L, 60_000L, 1_000L));
          };
      if (value >= least && value <= most) {
        return value;
      }
    } catch (ArithmeticException | NumberFormatException e) {
      // Said below.
    }
    String example =
        switch (kind) {
          case COUNT -> "1000";
          case BYTES -> "8Mi";
          case TIME -> "90s";
        };
    throw new IllegalArgumentException(
        "'" + text + "' is no value for the limit " + label() + "; write one like " + example);
  }

  private long scaled(String text, List<String> units, List<Long> factors) {
    for (int i = 0; i < units.size(); i++) {
      if (text.endsWith(units.get(i))) {
        String number = text.substring(0, text.length() - units.get(i).length());
        return Math.multiplyExact(Long.parseLong(number), factors.get(i));
      }
    }
    // Bytes may go without a unit; a time may not, but for none at all.
    long value = Long.parseLong(text);
    return kind == Kind.BYTES || value == 0 ? value : -1;
  }
}

package dev.evenkeel.serve.service;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The ports of nodes that services have.
 *
 * <p><b>Invariants:</b> what is known here is a hint, which finds a free port quickly; whether one
 * is free, the store decides in the transaction that claims it.
 *
 * <p><b>Threading:</b> any thread; it is its own lock.
 */
final class ServicePorts {

  /** Upstream's limits of the part that is kept for ports that users ask for by number. */
  private static final int STATIC_MIN = 16;

  private static final int STATIC_MAX = 128;
  private static final int STATIC_SHARE = 32;

  /** After this time it is looked what other servers have given and taken. */
  private static final Duration KNOWN_FOR = Duration.ofSeconds(10);

  private final Store store;
  private final ServiceRanges ranges;
  private final Clock clock;
  private final RandomGenerator random;
  private BitSet used = new BitSet();
  private @Nullable Instant known;

  ServicePorts(Store store, ServiceRanges ranges, Clock clock, RandomGenerator random) {
    this.store = store;
    this.ranges = ranges;
    this.clock = clock;
    this.random = random;
  }

  /** Reads which are taken. */
  CompletableFuture<@Nullable Void> load() {
    return store
        .range(RangeQuery.prefix(ServiceClaims.portKeys()).keysOnly())
        .thenApply(
            found -> {
              var ports = new BitSet();
              for (KeyValue item : found.items()) {
                ports.set(ServiceClaims.port(item.key()));
              }
              synchronized (this) {
                used = ports;
              }
              return null;
            });
  }

  /** A port that is free as far as is known; 0 if none is. */
  int free(Set<Integer> alsoTaken) {
    refresh();
    int size = ranges.portLast() - ranges.portFirst() + 1;
    int kept = size <= STATIC_MIN ? 0 : Math.clamp(size / STATIC_SHARE, STATIC_MIN, STATIC_MAX);
    int found = freeFrom(ranges.portFirst() + kept, size - kept, alsoTaken);
    return found != 0 || kept == 0 ? found : freeFrom(ranges.portFirst(), kept, alsoTaken);
  }

  private synchronized int freeFrom(int first, int size, Set<Integer> alsoTaken) {
    int start = random.nextInt(size);
    for (int i = 0; i < size; i++) {
      int port = first + (start + i) % size;
      if (!used.get(port) && !alsoTaken.contains(port)) {
        return port;
      }
    }
    return 0;
  }

  synchronized void learn(int port) {
    used.set(port);
  }

  private void refresh() {
    synchronized (this) {
      Instant now = clock.now();
      if (known != null && known.plus(KNOWN_FOR).isAfter(now)) {
        return;
      }
      known = now;
    }
    // Not waited for: until it is there, what was known is as good a hint.
    var _ = load();
  }

  static boolean areGiven(JsonNode spec) {
    String type = Meta.text(spec.path("type"));
    return type.equals("NodePort") || type.equals("LoadBalancer");
  }

  /** Whether ports that are not asked for by number are given. */
  static boolean areChosen(JsonNode spec) {
    return Meta.text(spec.path("type")).equals("NodePort")
        || (Meta.text(spec.path("type")).equals("LoadBalancer")
            && spec.path("allocateLoadBalancerNodePorts").asBoolean(true));
  }

  static boolean needHealthCheck(JsonNode spec) {
    return Meta.text(spec.path("type")).equals("LoadBalancer")
        && Meta.text(spec.path("externalTrafficPolicy")).equals("Local");
  }

  static Set<Integer> ofPorts(JsonNode spec) {
    Set<Integer> ports = new LinkedHashSet<>();
    for (JsonNode port : spec.path("ports")) {
      int number = port.path("nodePort").asInt(0);
      if (number != 0) {
        ports.add(number);
      }
    }
    return ports;
  }

  /** All that a service has. */
  static Set<Integer> heldBy(JsonNode spec) {
    if (!areGiven(spec)) {
      return Set.of();
    }
    Set<Integer> ports = ofPorts(spec);
    int health = spec.path("healthCheckNodePort").asInt(0);
    if (needHealthCheck(spec) && health != 0) {
      ports.add(health);
    }
    return ports;
  }

  static Bytes key(int port) {
    return ServiceClaims.portKey(port);
  }
}

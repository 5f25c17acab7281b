package dev.evenkeel.serve.presence;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.resource.ResourceTable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Lease in {@code kube-system} by which a server says that it is alive, and what the leases of
 * all say. A server that is gone is told by its lease no longer changing, as this server's clock
 * counts, and not by the time that another machine wrote.
 *
 * <p><b>Threading:</b> owned by the loop of {@link Presence}.
 */
final class IdentityLease {

  private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  private static final String LABEL = "apiserver.kubernetes.io/identity";
  private static final String LABEL_VALUE = "kube-apiserver";
  private static final String HOST_LABEL = "kubernetes.io/hostname";
  private static final String ADDRESS_NOTE = "kubernetes.io/peer-advertise-address";
  private static final int LEASE_SECONDS = 3_600;

  /** Three beats: one may be late, and one may be lost. */
  private static final Duration SILENT_FOR = Presence.BEAT.multipliedBy(3);

  private static final String BASE_32 = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int HASH_BYTES = 16;

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
          .withZone(java.time.ZoneOffset.UTC);

  private final Clock clock;
  private final OwnCalls calls;
  private final KindCache leases;
  private final Presence.Place place;
  private final String name;
  private final String holder;
  private final Map<String, Sighting> seen = new HashMap<>();
  private boolean writing;

  /** When a lease was first seen as it is. */
  private record Sighting(long revision, Instant since) {}

  /** A server that is alive. */
  record Alive(String address, int port) {}

  IdentityLease(Env env, OwnCalls calls, ResourceTable resources, Presence.Place place) {
    this.clock = env.clock();
    this.calls = calls;
    this.place = place;
    this.leases = resources.at("coordination.k8s.io", "v1", "leases").cache();
    this.name = "apiserver-" + hash(place.machine() + "|" + place.address() + "|" + place.port());
    this.holder = name + "_" + new UUID(env.random().nextLong(), env.random().nextLong());
  }

  /** Says that this server is alive, and removes the leases of those that are long gone. */
  void renew() {
    if (!leases.isReady()) {
      var _ = leases.ready();
    }
    if (writing) {
      return;
    }
    writing = true;
    CachedObject current = leases.newest().tree().get("kube-system/" + name);
    if (current == null) {
      ObjectNode lease = JsonNodeFactory.instance.objectNode();
      lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
      describe(lease);
      calls.create(PATH, lease, _ -> writing = false);
    } else {
      ObjectNode lease = Json.parseObject(current.json());
      describe(lease);
      calls.update(PATH + "/" + name, lease, _ -> writing = false);
    }
    removeStale();
  }

  private void describe(ObjectNode lease) {
    ObjectNode metadata = Meta.of(lease);
    metadata.put("name", name).put("namespace", "kube-system");
    object(metadata, "labels").put(LABEL, LABEL_VALUE).put(HOST_LABEL, place.machine());
    if (!place.address().isEmpty()) {
      object(metadata, "annotations").put(ADDRESS_NOTE, place.address() + "|" + place.port());
    }
    object(lease, "spec")
        .put("holderIdentity", holder)
        .put("leaseDurationSeconds", LEASE_SECONDS)
        .put("renewTime", MICROS.format(clock.now().truncatedTo(ChronoUnit.MICROS)));
  }

  private static ObjectNode object(ObjectNode parent, String field) {
    return parent.get(field) instanceof ObjectNode there ? there : parent.putObject(field);
  }

  /** The servers that are alive and can be reached by others; this one is always among them. */
  List<Alive> alive() {
    List<Alive> alive = new ArrayList<>(1);
    if (!place.address().isEmpty()) {
      alive.add(new Alive(place.address(), place.port()));
    }
    Instant now = clock.now();
    for (CachedObject lease : identities()) {
      Sighting sighting = seen.get(lease.key());
      if (sighting == null || sighting.revision != lease.revision()) {
        Instant renewed = sighting == null ? renewed(lease) : now;
        sighting = new Sighting(lease.revision(), renewed == null ? now : min(renewed, now));
        seen.put(lease.key(), sighting);
      }
      Alive server = server(lease);
      boolean silent = sighting.since.plus(SILENT_FOR).isBefore(now);
      if (!silent && server != null && !alive.contains(server)) {
        alive.add(server);
      }
    }
    return alive;
  }

  private static Instant min(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static @Nullable Alive server(CachedObject lease) {
    String note =
        Meta.text(Meta.at(Json.parse(lease.json()), "metadata", "annotations").path(ADDRESS_NOTE));
    int bar = note.indexOf('|');
    try {
      return bar < 0
          ? null
          : new Alive(note.substring(0, bar), Integer.parseInt(note.substring(bar + 1)));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private void removeStale() {
    Instant now = clock.now();
    for (CachedObject lease : identities()) {
      Instant renewed = renewed(lease);
      long seconds =
          Json.parse(lease.json()).path("spec").path("leaseDurationSeconds").asLong(LEASE_SECONDS);
      if (!lease.name().equals(name)
          && (renewed == null || renewed.plusSeconds(seconds).isBefore(now))) {
        calls.delete(PATH + "/" + lease.name());
        seen.remove(lease.key());
      }
    }
  }

  private List<CachedObject> identities() {
    List<CachedObject> identities = new ArrayList<>(1);
    SortedTree.Walk<CachedObject> walk = leases.newest().tree().from("kube-system/apiserver-");
    CachedObject next;
    while ((next = walk.next()) != null && next.key().startsWith("kube-system/apiserver-")) {
      if (LABEL_VALUE.equals(next.labels().get(LABEL))) {
        identities.add(next);
      }
    }
    return identities;
  }

  private static @Nullable Instant renewed(CachedObject lease) {
    JsonNode time = Json.parse(lease.json()).path("spec").path("renewTime");
    try {
      return Instant.parse(Meta.text(time));
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /** As upstream writes it: the beginning of a SHA-256 in lower case letters and digits. */
  private static String hash(String text) {
    byte[] digest;
    try {
      digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    var letters = new StringBuilder();
    int bits = 0;
    int held = 0;
    for (int i = 0; i < HASH_BYTES; i++) {
      held = held << Byte.SIZE | (digest[i] & 0xff);
      bits += Byte.SIZE;
      while (bits >= 5) {
        bits -= 5;
        letters.append(BASE_32.charAt((held >> bits) & 31));
      }
    }
    return letters.append(BASE_32.charAt((held << (5 - bits)) & 31)).toString();
  }
}

package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.store.KeyValue;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The quotas of a namespace. Every write that could change what is used carries its revision, so
 * nobody uses anything behind the back of a quota that was just made or changed.
 *
 * @param revision of its last change; 0 if the namespace has none
 * @param quotas by name
 */
record Register(long revision, SortedMap<String, QuotaSpec> quotas) {

  static final Register NONE = new Register(0, new TreeMap<>());

  private static final String KEYS = "/evenkeel/quota/registers/";

  Register {
    quotas = Collections.unmodifiableSortedMap(quotas);
  }

  static Bytes key(String namespace) {
    return Bytes.utf8(KEYS + namespace);
  }

  static Register of(@Nullable KeyValue stored) {
    if (stored == null) {
      return NONE;
    }
    SortedMap<String, QuotaSpec> quotas = new TreeMap<>();
    Json.parseObject(stored.value().array())
        .path("quotas")
        .forEachEntry(
            (name, quota) ->
                quotas.put(
                    name, QuotaSpec.of(name, quota.path("uid").asString(""), quota.path("spec"))));
    return new Register(stored.modRevision(), quotas);
  }

  boolean isEmpty() {
    return quotas.isEmpty();
  }

  Register with(QuotaSpec quota) {
    SortedMap<String, QuotaSpec> more = new TreeMap<>(quotas);
    more.put(quota.name(), quota);
    return new Register(revision, more);
  }

  Register without(String name) {
    SortedMap<String, QuotaSpec> fewer = new TreeMap<>(quotas);
    fewer.remove(name);
    return new Register(revision, fewer);
  }

  Bytes toBytes() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ObjectNode byName = json.putObject("quotas");
    quotas.forEach((name, quota) -> byName.set(name, quota.toJson()));
    return Bytes.wrap(Json.encode(json));
  }
}

package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Amounts;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is used of a quota. Two ledgers with the same bytes are the same, whatever happened between:
 * a charge compares the bytes it was decided on.
 *
 * @param counted whether what was there before the quota, or before its last change, is in it
 */
record Ledger(String uid, boolean counted, Amounts used) {

  private static final String KEYS = "/evenkeel/quota/ledgers/";

  static Bytes key(String namespace, String quota) {
    return Bytes.utf8(KEYS + namespace + "/" + quota);
  }

  /** Of the ledgers of a namespace, or of all if it is empty. */
  static Bytes prefix(String namespace) {
    return Bytes.utf8(namespace.isEmpty() ? KEYS : KEYS + namespace + "/");
  }

  /** The namespace and name of the quota that a ledger's key is for. */
  static String objectKey(Bytes key) {
    return key.utf8().substring(KEYS.length());
  }

  /** Of a quota whose objects are yet to be counted. */
  static Ledger uncounted(QuotaSpec quota) {
    return new Ledger(quota.uid(), false, Amounts.NONE);
  }

  static @Nullable Ledger of(@Nullable Bytes stored) {
    if (stored == null) {
      return null;
    }
    ObjectNode json = Json.parseObject(stored.array());
    return new Ledger(
        json.path("uid").asString(""),
        json.path("counted").asBoolean(false),
        Amounts.of(json.path("used")));
  }

  Ledger charged(Amounts delta) {
    return new Ledger(uid, counted, used.plus(delta));
  }

  Bytes toBytes() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("uid", uid).put("counted", counted).set("used", used.toJson());
    return Bytes.wrap(Json.encode(json));
  }
}

package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Amounts;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is used of a quota. Two ledgers with the same bytes are the same, whatever happened between:
 * a charge compares the bytes it was decided on.
 *
 * @param counted whether what was there before the quota, or before its last change, is in it
 */
record QuotaLedger(String uid, boolean counted, Amounts used) {

  private static final String KEYS = "/evenkeel/quota/ledgers/";

  /** Of all ledgers: the rest of a key is the ledger's name. */
  static final Bytes PREFIX = Bytes.utf8(KEYS);

  /** A ledger's name, by its quota's in the register. */
  static String name(String namespace, String quota) {
    return namespace + "/" + quota;
  }

  static Bytes key(String namespace, String quota) {
    return Bytes.utf8(KEYS + name(namespace, quota));
  }

  /** Of the ledgers of a namespace, or of all if it is empty. */
  static Bytes prefix(String namespace) {
    return namespace.isEmpty() ? PREFIX : Bytes.utf8(KEYS + namespace + "/");
  }

  /** The name of the ledger that a key is for. */
  static String name(Bytes key) {
    return key.utf8().substring(KEYS.length());
  }

  /** Of a quota whose objects are yet to be counted. */
  static QuotaLedger uncounted(QuotaSpec quota) {
    return new QuotaLedger(quota.uid(), false, Amounts.NONE);
  }

  static QuotaLedger parse(Bytes stored) {
    ObjectNode json = Json.parseObject(stored.array());
    return new QuotaLedger(
        json.path("uid").asString(""),
        json.path("counted").asBoolean(false),
        Amounts.of(json.path("used")));
  }

  QuotaLedger charged(Amounts delta) {
    return new QuotaLedger(uid, counted, used.plus(delta));
  }

  Bytes toBytes() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("uid", uid).put("counted", counted).set("used", used.toJson());
    return Bytes.wrap(Json.encode(json));
  }
}

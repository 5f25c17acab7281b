package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A write of one object, before it is made. Looks into the object only when somebody asks.
 *
 * <p><b>Threading:</b> owned by the write, used by one thread at a time.
 */
public final class PlannedWrite {

  private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

  private final String group;
  private final String plural;
  private final String namespace;
  private final String name;
  private final byte @Nullable [] before;
  private final byte @Nullable [] after;
  private @Nullable Evaluator evaluator;
  private @Nullable ObjectNode parsedBefore;
  private @Nullable ObjectNode parsedAfter;

  /**
   * @param before null if the object is new
   * @param after null if the object goes
   */
  public PlannedWrite(
      String group,
      String plural,
      String namespace,
      String name,
      byte @Nullable [] before,
      byte @Nullable [] after) {
    this.group = group;
    this.plural = plural;
    this.namespace = namespace;
    this.name = name;
    this.before = before;
    this.after = after;
  }

  String group() {
    return group;
  }

  String plural() {
    return plural;
  }

  String namespace() {
    return namespace;
  }

  String name() {
    return name;
  }

  Evaluator evaluator() {
    if (evaluator == null) {
      evaluator = Evaluator.of(group, plural);
    }
    return evaluator;
  }

  boolean isCreate() {
    return before == null;
  }

  boolean isDelete() {
    return after == null;
  }

  /** Whether the object is a quota itself. */
  boolean isOfQuota() {
    return (group.isEmpty() && plural.equals("resourcequotas")) || isOfTenantQuota();
  }

  private boolean isOfTenantQuota() {
    return TenantQuotas.isKind(group, plural);
  }

  /** Of a quota: its name in the register. */
  String registeredName() {
    return isOfTenantQuota() ? TenantQuotas.registered(name) : name;
  }

  /** Of a quota: as the register is to have it. */
  QuotaSpec quotaAfter() {
    return QuotaSpec.of(after(), isOfTenantQuota());
  }

  /** Whether what is used may be another than before; a look at the kind decides. */
  public boolean mayCount() {
    return isCreate() || isDelete() || isOfQuota() || !Evaluator.countsOnly(group, plural);
  }

  ObjectNode before() {
    if (parsedBefore == null) {
      parsedBefore = before == null || evaluatesBlindly() ? NOTHING : Json.parseObject(before);
    }
    return parsedBefore;
  }

  ObjectNode after() {
    if (parsedAfter == null) {
      parsedAfter = after == null || evaluatesBlindly() ? NOTHING : Json.parseObject(after);
    }
    return parsedAfter;
  }

  private boolean evaluatesBlindly() {
    return Evaluator.countsOnly(group, plural) && !isOfQuota();
  }

  /** Whether the client wants something else now; a status that changes asks for nothing. */
  boolean asksForMore() {
    return isCreate() || (!isDelete() && !before().path("spec").equals(after().path("spec")));
  }
}

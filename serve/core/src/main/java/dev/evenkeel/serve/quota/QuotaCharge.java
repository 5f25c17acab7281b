package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.serve.ledger.Charge;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a write costs one quota.
 *
 * @param ledger the name of the quota's ledger
 * @param delta what it uses more, or less, of what the quota limits
 * @param fault why no amount would do, for example a request that must be named; empty if nothing
 * @param refusable whether it is refused beyond the limit; what is only reported is charged anyway
 */
record QuotaCharge(String ledger, QuotaSpec quota, Amounts delta, String fault, boolean refusable)
    implements Charge<QuotaLedger> {

  /** The charges of a write to the quotas that it concerns, of all its changes together. */
  static List<QuotaCharge> of(Register register, List<PlannedWrite> changes) {
    if (register.isEmpty()) {
      return List.of();
    }
    List<QuotaCharge> charges = new ArrayList<>(register.quotas().size());
    for (QuotaSpec quota : register.quotas().values()) {
      QuotaCharge all = null;
      for (PlannedWrite change : changes) {
        boolean itself = change.isOfQuota() && quota.name().equals(change.registeredName());
        QuotaCharge charge = itself ? null : of(quota, change);
        if (charge != null) {
          all = all == null ? charge : all.plus(charge);
        }
      }
      if (all != null && !(all.delta.isEmpty() && all.fault.isEmpty())) {
        charges.add(all);
      }
    }
    return charges;
  }

  private QuotaCharge plus(QuotaCharge other) {
    return new QuotaCharge(
        ledger,
        quota,
        delta.plus(other.delta).withoutZeros(),
        fault.isEmpty() ? other.fault : fault,
        refusable || other.refusable);
  }

  /** The change with which there is too little where there is not enough for all. */
  static PlannedWrite firstRefused(
      QuotaSpec quota, QuotaLedger ledger, List<PlannedWrite> changes) {
    QuotaCharge soFar = null;
    for (PlannedWrite change : changes) {
      QuotaCharge charge = of(quota, change);
      if (charge != null) {
        soFar = soFar == null ? charge : soFar.plus(charge);
        if (soFar.refusal(ledger) != null) {
          return change;
        }
      }
    }
    return changes.getFirst();
  }

  private static @Nullable QuotaCharge of(QuotaSpec quota, PlannedWrite change) {
    Evaluator evaluator = change.evaluator();
    if (!quota.limitsAny(evaluator)) {
      return null;
    }
    Amounts before = change.isCreate() ? Amounts.NONE : quota.usage(evaluator, change.before());
    Amounts after = change.isDelete() ? Amounts.NONE : quota.usage(evaluator, change.after());
    Amounts delta = after.minus(before).withoutZeros();
    boolean refusable = change.asksForMore();
    String fault = "";
    if (refusable
        && !quota.isTenant()
        && (change.isCreate() || !delta.isEmpty())
        && quota.isAbout(evaluator, change.after())) {
      fault = evaluator.missing(quota.hard().names(), change.after());
    }
    return delta.isEmpty() && fault.isEmpty()
        ? null
        : new QuotaCharge(
            QuotaLedger.name(change.namespace(), quota.name()), quota, delta, fault, refusable);
  }

  /** Whether it is the quota's ledger, and counted. */
  @Override
  public boolean isReady(@Nullable QuotaLedger now) {
    return now != null && now.counted() && now.uid().equals(quota.uid());
  }

  @Override
  public boolean isRefusedBy(@Nullable QuotaLedger now) {
    return refusable
        && (!fault.isEmpty() || (now != null && isReady(now) && !exceeded(now).isEmpty()));
  }

  @Override
  public @Nullable QuotaLedger charged(@Nullable QuotaLedger now) {
    return now == null ? null : now.charged(delta);
  }

  /** Why it cannot be, in the API's words; null if it can. */
  @Nullable String refusal(QuotaLedger ledger) {
    if (!refusable) {
      return null;
    }
    if (!fault.isEmpty()) {
      return "failed quota: " + quota.name() + ": " + fault;
    }
    Amounts exceeded = exceeded(ledger);
    if (exceeded.isEmpty()) {
      return null;
    }
    return quota.isTenant()
        ? exceeded(
            TenantQuotas.described(quota),
            TenantQuotas.shown(exceeded),
            TenantQuotas.shown(ledger.used()),
            TenantQuotas.shown(quota.hard()))
        : exceeded(quota.name(), exceeded, ledger.used(), quota.hard());
  }

  private static String exceeded(String quota, Amounts requested, Amounts used, Amounts hard) {
    return "exceeded quota: "
        + quota
        + ", requested: "
        + requested
        + ", used: "
        + listed(requested, used)
        + ", limited: "
        + listed(requested, hard);
  }

  /** What is wanted of that of which there is too little. */
  Amounts exceeded(QuotaLedger ledger) {
    Amounts wanted = delta.positive();
    return wanted.only(
        name ->
            ledger
                    .used()
                    .orZero(name)
                    .plus(wanted.orZero(name))
                    .compareTo(quota.hard().orZero(name))
                > 0);
  }

  private static String listed(Amounts names, Amounts amounts) {
    return names.names().stream()
        .map(name -> name + "=" + amounts.orZero(name))
        .collect(Collectors.joining(","));
  }
}

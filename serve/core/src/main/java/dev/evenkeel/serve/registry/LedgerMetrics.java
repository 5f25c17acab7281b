package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.serve.quota.QuotaAudit;
import dev.evenkeel.serve.quota.QuotaBooks;

/** What the books of quotas know of themselves. */
final class LedgerMetrics {

  private LedgerMetrics() {}

  static void register(Meters meters, QuotaBooks books, QuotaAudit audit) {
    meters.counted(
        "evenkeel_quota_charges_total",
        "Charges to quotas that were committed",
        () -> (double) books.charges());
    meters.counted(
        "evenkeel_quota_charges_repeated_total",
        "Charges decided again, since others came first",
        () -> (double) books.chargesRepeated());
    meters.counted(
        "evenkeel_quota_ledgers_audited_total",
        "Ledgers held against the objects",
        () -> (double) audit.audits());
    meters.counted(
        "evenkeel_quota_ledgers_repaired_total",
        "Ledgers that were wrong and were mended",
        () -> (double) audit.repairs());
  }
}

package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.serve.ledger.Bill;
import dev.evenkeel.serve.ledger.Charge;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one write costs the quotas of its namespace. Which these are is in the namespace's register,
 * whose revision it carries: a quota binds from the transaction that makes or edits it. A write of
 * a quota itself changes the register.
 */
final class QuotaBill extends Bill<QuotaLedger> {

  private final QuotaLedgers quotas;
  private final String namespace;
  private final Bytes registerKey;
  private final List<PlannedWrite> changes;
  private @Nullable Register judgedBy;
  private List<QuotaCharge> charges = List.of();
  private @Nullable Register next;

  /**
   * @param changes of objects of one namespace that are written together, and charged as one
   */
  QuotaBill(QuotaLedgers quotas, List<PlannedWrite> changes) {
    super(quotas.ledgers());
    this.quotas = quotas;
    this.namespace = changes.getFirst().namespace();
    this.registerKey = Register.key(namespace);
    this.changes = changes;
  }

  @Override
  protected List<QuotaCharge> charges() {
    return charges(quotas.registers().of(namespace));
  }

  private List<QuotaCharge> charges(Register register) {
    if (judgedBy == null || judgedBy.revision() != register.revision()) {
      charges = QuotaCharge.of(register, changes);
      judgedBy = register;
    }
    return charges;
  }

  @Override
  protected void addConditions(List<Compare> compares, List<Write> writes) {
    Register register = judgedBy == null ? Register.NONE : judgedBy;
    compares.add(new Compare.ModRevision(registerKey, register.revision()));
    // A quota is written by itself.
    PlannedWrite change = changes.getFirst();
    next = change.isOfQuota() ? enrol(change, register, writes) : null;
  }

  /** Keeps the register right when the object is a quota; null if it stays as it is. */
  private @Nullable Register enrol(PlannedWrite change, Register register, List<Write> writes) {
    String name = change.registeredName();
    Bytes ledgerKey = QuotaLedger.key(namespace, name);
    QuotaSpec known = register.quotas().get(name);
    if (change.isDelete()) {
      writes.add(new Write.Delete(ledgerKey));
      if (known == null) {
        return null;
      }
      Register fewer = register.without(name);
      writes.add(
          fewer.isEmpty()
              ? new Write.Delete(registerKey)
              : new Write.Put(registerKey, fewer.toBytes()));
      return fewer;
    }
    QuotaSpec wanted = change.quotaAfter();
    if (known != null && known.uid().equals(wanted.uid()) && known.spec().equals(wanted.spec())) {
      return null;
    }
    Register more = register.with(wanted);
    writes.add(new Write.Put(registerKey, more.toBytes()));
    if (known == null || !wanted.countsLike(known)) {
      writes.add(new Write.Put(ledgerKey, QuotaLedger.uncounted(wanted).toBytes()));
    }
    return more;
  }

  @Override
  protected boolean isCondition(Bytes key) {
    return registerKey.equals(key);
  }

  @Override
  protected void learn(TxnResult.Failure failure, long revision) {
    quotas.registers().learn(namespace, Register.of(failure.current()), revision);
  }

  @Override
  protected void committed(long revision) {
    if (next != null) {
      quotas
          .registers()
          .learn(
              namespace,
              next.isEmpty() ? Register.NONE : new Register(revision, next.quotas()),
              revision);
      PlannedWrite change = changes.getFirst();
      quotas.changedElsewhere(QuotaLedger.name(namespace, change.registeredName()));
    }
    for (QuotaCharge charge : charges) {
      quotas.changed(charge.ledger());
    }
  }

  @Override
  protected CompletableFuture<AsStored<QuotaLedger>> asStored(
      List<? extends Charge<QuotaLedger>> suspects) {
    return quotas
        .registers()
        .read(namespace, Store.NEWEST)
        .thenApply(
            found -> new AsStored<>(found.asOf(), QuotaCharge.of(found.register(), changes)));
  }

  @Override
  protected ApiException refusal(List<Refused<QuotaLedger>> refused) {
    Refused<QuotaLedger> first = refused.getFirst();
    var charge = (QuotaCharge) first.charge();
    QuotaLedger ledger =
        first.state().ledger() == null
            ? QuotaLedger.uncounted(charge.quota())
            : first.state().ledger();
    PlannedWrite change = QuotaCharge.firstRefused(charge.quota(), ledger, changes);
    String why = Objects.requireNonNull(charge.refusal(ledger));
    Status status = Status.forbidden(change.group(), change.plural(), change.name(), why);
    Status.Details details = status.details();
    if (!charge.quota().isTenant() || details == null) {
      return status.asException();
    }
    List<Status.Cause> causes =
        TenantQuotas.causes(
            charge.quota(), charge.exceeded(ledger), ledger.used(), first.state().version());
    return new Status(
            status.code(),
            status.reason(),
            status.message(),
            new Status.Details(
                details.name(), details.group(), details.kind(), details.uid(), causes, 0),
            null)
        .asException();
  }

  @Override
  protected String owner() {
    return "the quotas of namespace " + namespace + " are changed";
  }
}

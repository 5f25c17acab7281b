package dev.evenkeel.serve.ledger;

import dev.evenkeel.store.Compare;
import dev.evenkeel.store.Write;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has a ledger say what was counted. It is posted as every charge is; a ledger that is beyond
 * mending by then is left alone, and the write rejected.
 */
final class Rewrite<L> extends Bill<L> implements Charge<L> {

  private final LedgerKind<L> kind;
  private final LedgerKind.Count<L> count;

  Rewrite(Ledgers<L> ledgers, LedgerKind.Count<L> count) {
    super(ledgers);
    this.kind = ledgers.kind();
    this.count = count;
  }

  @Override
  public String ledger() {
    return count.read().name();
  }

  @Override
  public boolean isOfUse() {
    return false;
  }

  @Override
  public boolean isFor(@Nullable L ledger) {
    return charged(ledger) != null;
  }

  @Override
  public @Nullable L charged(@Nullable L ledger) {
    return kind.mended(ledger, count.read().ledger(), count.right());
  }

  @Override
  protected List<Charge<L>> charges() {
    return List.of(this);
  }

  @Override
  protected void addConditions(List<Compare> compares, List<Write> writes) {
    compares.addAll(count.conditions());
  }
}

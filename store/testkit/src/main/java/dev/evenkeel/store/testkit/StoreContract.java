package dev.evenkeel.store.testkit;

import org.junit.jupiter.api.Nested;

/**
 * The whole suite. An engine's test class extends it, hands it fixtures, and is judged:
 *
 * <pre>{@code
 * class MemoryStoreTest extends StoreContract {
 *   @Override
 *   protected StoreFixture newFixture() {
 *     return new MemoryFixture();
 *   }
 * }
 * }</pre>
 *
 * <p>The parts follow the contract's subjects; each statement of the contract's javadoc has at
 * least one test that fails where it does not hold.
 */
public abstract class StoreContract {

  /** A fixture for one test. Costly things behind it (a process) may be shared between fixtures. */
  protected abstract StoreFixture newFixture();

  @Nested
  class Transactions extends TransactionContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class Comparisons extends ComparisonContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class Reads extends ReadContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class Watches extends WatchContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class WatchesTogether extends WatchConcurrencyContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class WatchLife extends WatchLifeContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class Compaction extends CompactionContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class Snapshots extends SnapshotContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class Limits extends LimitsContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class Life extends LifeContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }

  @Nested
  class Histories extends HistoryContract {
    @Override
    protected StoreFixture newFixture() {
      return StoreContract.this.newFixture();
    }
  }
}

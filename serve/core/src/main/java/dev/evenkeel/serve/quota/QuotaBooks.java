package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Charges quotas in the transaction that makes, changes or removes an object.
 *
 * <p><b>Invariants:</b> a write that may change what is used carries the revision of its
 * namespace's register, and a charge carries the ledger it was decided on; so no write is charged
 * twice, forgotten, or admitted beside a quota. A ledger is charged only once it was counted, and
 * between a quota's making and its count nothing it limits can change: any state in between is the
 * right one to count.
 *
 * <p><b>Threading:</b> any thread; an account is its own lock. Counting is the loop's.
 */
public final class QuotaBooks {

  /*
   * Charges of one ledger cannot run side by side, and waiting for each other's sync would make one
   * namespace as slow as the disk. So a charge is decided on what its predecessor is about to write
   * and sent behind it at once: a local store judges in the order of sending, and one sync is for
   * all of them. If one fails, those behind it fail at their comparison and are decided again. A
   * store that changes the order makes the window narrow, down to one at a time.
   */

  private static final int ROUNDS_MAX = 200;

  /** Beyond it the hints of all namespaces are dropped: they are soon found again. */
  private static final int ACCOUNTS_MAX = 50_000;

  private final Store store;
  private final Loop loop;
  private final Counting counting;
  private final ConcurrentHashMap<String, Account> accounts = new ConcurrentHashMap<>();
  private final LongAdder charges = new LongAdder();
  private final LongAdder chargesRepeated = new LongAdder();
  private volatile BiConsumer<String, String> onCharge = (_, _) -> {};

  /** Where to find the objects of a kind; null if it is not served. */
  public interface Kinds {
    @Nullable KindCache cache(String group, String plural);
  }

  public QuotaBooks(Store store, Loop loop, Kinds kinds) {
    this.store = store;
    this.loop = loop;
    this.counting = new Counting(loop, kinds);
  }

  /** Is told the namespace and name of each quota whose ledger this server changed. */
  public void onCharge(BiConsumer<String, String> listener) {
    onCharge = listener;
  }

  /** How many charges were committed. */
  public long charges() {
    return charges.sum();
  }

  /** How many charges were decided again because the ledger was another by then. */
  public long chargesRepeated() {
    return chargesRepeated.sum();
  }

  Counting counting() {
    return counting;
  }

  /** A ledger was written past the books. */
  void changedElsewhere(String namespace, String quota) {
    account(namespace).forget(quota);
    onCharge.accept(namespace, quota);
  }

  private Account account(String namespace) {
    Account known = accounts.get(namespace);
    if (known != null) {
      return known;
    }
    if (accounts.size() >= ACCOUNTS_MAX) {
      accounts.clear();
    }
    return accounts.computeIfAbsent(namespace, _ -> new Account());
  }

  /**
   * Commits the write with what it costs. The answer is the store's; what was rejected because of
   * the books is to be tried again, and is decided on what the rejection taught. Fails with a 403
   * if a quota forbids it, which was so in the store at some time since the call.
   *
   * @param changes of objects of one namespace that are written together, and charged as one
   */
  public CompletableFuture<TxnResult> commit(List<Change> changes, Txn write) {
    return commit(changes, write, false);
  }

  /**
   * The same for a write that other books have charged before. Who has to wait for something falls
   * behind those who come after, and the orders in two books must not differ: two writes would be
   * decided on each other, and neither could ever be made. So once what it waited for is there, it
   * is rejected, without a failure, and decided again from the first book on.
   */
  public CompletableFuture<TxnResult> commitCharged(List<Change> changes, Txn write) {
    return commit(changes, write, true);
  }

  private CompletableFuture<TxnResult> commit(
      List<Change> changes, Txn write, boolean chargedElsewhere) {
    var posting = new Posting(changes, write, account(namespace(changes)), chargedElsewhere);
    posting.begin();
    return posting.answer;
  }

  /** Whether the write would be allowed; fails like {@link #commit} if not. */
  public CompletableFuture<@Nullable Void> check(List<Change> changes) {
    return readAndRefuse(changes, account(namespace(changes)), 0);
  }

  private static String namespace(List<Change> changes) {
    return changes.getFirst().namespace();
  }

  /**
   * Counts what there is of a quota if nobody has yet. One that the register does not know, made by
   * an older version of this server, is entered first.
   */
  public CompletableFuture<@Nullable Void> countIfNeeded(
      String namespace, ObjectNode quota, boolean isTenant) {
    QuotaSpec stored = QuotaSpec.of(quota, isTenant);
    return read(Register.key(namespace), Store.NEWEST)
        .thenCompose(
            found -> {
              Account account = account(namespace);
              Register register = Register.of(found.item());
              account.learn(register, found.revision());
              QuotaSpec known = register.quotas().get(stored.name());
              return known == null || !known.uid().equals(stored.uid())
                  ? enter(namespace, account, register, stored)
                  : read(Ledger.key(namespace, known.name()), found.revision())
                      .thenCompose(
                          ledger ->
                              Account.ledger(known, value(ledger.item())).counted()
                                  ? done()
                                  : count(namespace, account, register, known));
            });
  }

  private CompletableFuture<@Nullable Void> enter(
      String namespace, Account account, Register register, QuotaSpec quota) {
    Register more = register.with(quota);
    Txn txn =
        Txn.builder()
            .ifModRevision(Register.key(namespace), register.revision())
            .put(Register.key(namespace), more.toBytes())
            .put(Ledger.key(namespace, quota.name()), Ledger.uncounted(quota).toBytes())
            .build();
    return store
        .commit(txn)
        .thenApply(
            result -> {
              if (result instanceof TxnResult.Rejected rejected) {
                learn(account, namespace, rejected);
              } else {
                account.learn(new Register(result.revision(), more.quotas()), result.revision());
              }
              return null;
            });
  }

  /** What is used of a quota; null if it has no ledger or is not counted yet. */
  public CompletableFuture<@Nullable Amounts> used(String namespace, String quota, String uid) {
    return read(Ledger.key(namespace, quota), Store.NEWEST)
        .thenApply(
            found -> {
              Ledger ledger = Ledger.of(value(found.item()));
              return ledger != null && ledger.counted() && ledger.uid().equals(uid)
                  ? ledger.used()
                  : null;
            });
  }

  /** What is used of a namespace's quotas, or of all; those not counted yet are left out. */
  public CompletableFuture<Map<String, Amounts>> usedIn(String namespace) {
    return store
        .range(RangeQuery.prefix(Ledger.prefix(namespace)))
        .thenApply(
            range -> {
              Map<String, Amounts> used = new HashMap<>();
              for (KeyValue item : range.items()) {
                Ledger ledger = Ledger.of(item.value());
                if (ledger != null && ledger.counted()) {
                  used.put(Ledger.objectKey(item.key()), ledger.used());
                }
              }
              return used;
            });
  }

  private CompletableFuture<GetResult> read(Bytes key, long revision) {
    return store.get(key, revision);
  }

  private static @Nullable Bytes value(@Nullable KeyValue item) {
    return item == null ? null : item.value();
  }

  private static CompletableFuture<@Nullable Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  /** Judges on the store's own state, and has what is uncounted counted. */
  private CompletableFuture<@Nullable Void> readAndRefuse(
      List<Change> changes, Account account, int rounds) {
    if (rounds > ROUNDS_MAX) {
      return CompletableFuture.failedFuture(busy(namespace(changes)));
    }
    return read(Register.key(namespace(changes)), Store.NEWEST)
        .thenCompose(
            found -> {
              Register register = Register.of(found.item());
              account.learn(register, found.revision());
              CompletableFuture<Boolean> counted = CompletableFuture.completedFuture(true);
              for (Charge charge : Charge.of(register, changes)) {
                counted =
                    counted.thenCompose(
                        before ->
                            before
                                ? refuse(changes, account, register, charge, found.revision())
                                : CompletableFuture.completedFuture(false));
              }
              return counted.thenCompose(
                  all -> all ? done() : readAndRefuse(changes, account, rounds + 1));
            });
  }

  /** Throws if the ledger as of the revision has no room; false if it had to be counted first. */
  private CompletableFuture<Boolean> refuse(
      List<Change> changes, Account account, Register register, Charge charge, long revision) {
    String namespace = namespace(changes);
    return read(Ledger.key(namespace, charge.quota().name()), revision)
        .thenCompose(
            found -> {
              Ledger ledger = Account.ledger(charge.quota(), value(found.item()));
              if (!ledger.counted() && charge.fault().isEmpty()) {
                return count(namespace, account, register, charge.quota()).thenApply(_ -> false);
              }
              String refusal = charge.refusal(ledger);
              return refusal == null
                  ? CompletableFuture.completedFuture(true)
                  : CompletableFuture.failedFuture(
                      forbidden(
                          Charge.firstRefused(charge.quota(), ledger, changes),
                          refusal,
                          causes(charge, ledger, found.item())));
            });
  }

  private static List<Status.Cause> causes(
      Charge charge, Ledger ledger, @Nullable KeyValue stored) {
    return charge.quota().isTenant()
        ? TenantQuotas.causes(
            charge.quota(),
            charge.exceeded(ledger),
            ledger.used(),
            stored == null ? 0 : stored.modRevision())
        : List.of();
  }

  private static ApiException forbidden(Change change, String why, List<Status.Cause> causes) {
    Status status = Status.forbidden(change.group(), change.plural(), change.name(), why);
    Status.Details details = status.details();
    return (causes.isEmpty() || details == null
            ? status
            : new Status(
                status.code(),
                status.reason(),
                status.message(),
                new Status.Details(
                    details.name(), details.group(), details.kind(), details.uid(), causes, 0),
                null))
        .asException();
  }

  private static ApiException busy(String namespace) {
    return Status.tooManyRequests(
            "the quotas of namespace " + namespace + " are changed by too many at once", 1)
        .asException();
  }

  /** Counts a quota's objects once, whoever else wants it too. */
  private CompletableFuture<@Nullable Void> count(
      String namespace, Account account, Register register, QuotaSpec quota) {
    var answer = new CompletableFuture<@Nullable Void>();
    synchronized (account) {
      CompletableFuture<@Nullable Void> underWay = account.counting.get(quota.name());
      if (underWay != null) {
        return underWay;
      }
      account.counting.put(quota.name(), answer);
    }
    var _ =
        counting
            .count(namespace, quota, register.revision())
            .thenCompose(used -> writeCount(namespace, account, register, quota, used))
            .whenComplete(
                (_, failure) -> {
                  synchronized (account) {
                    account.counting.remove(quota.name());
                  }
                  if (failure == null) {
                    onCharge.accept(namespace, quota.name());
                    answer.complete(null);
                  } else {
                    answer.completeExceptionally(failure);
                  }
                });
    return answer;
  }

  private CompletableFuture<@Nullable Void> writeCount(
      String namespace, Account account, Register register, QuotaSpec quota, Amounts used) {
    Bytes key = Ledger.key(namespace, quota.name());
    return read(key, Store.NEWEST)
        .thenCompose(
            found -> {
              Bytes before = value(found.item());
              if (Account.ledger(quota, before).counted()) {
                account.forget(quota.name());
                return done();
              }
              var txn =
                  Txn.builder()
                      .ifModRevision(Register.key(namespace), register.revision())
                      .put(key, new Ledger(quota.uid(), true, used).toBytes());
              if (before == null) {
                txn.ifAbsent(key);
              } else {
                txn.ifValue(key, before);
              }
              return store
                  .commit(txn.build())
                  .thenApply(
                      result -> {
                        account.forget(quota.name());
                        if (result instanceof TxnResult.Rejected rejected) {
                          learn(account, namespace, rejected);
                        }
                        return null;
                      });
            });
  }

  private static void learn(Account account, String namespace, TxnResult.Rejected rejected) {
    Bytes key = Register.key(namespace);
    for (TxnResult.Failure failure : rejected.failures()) {
      if (failure.compare().key().equals(key)) {
        account.learn(Register.of(failure.current()), rejected.revision());
      }
    }
  }

  /** One write on its way through the books. */
  private final class Posting {
    /** The first, which is the only one if it is a quota. */
    private final Change change;

    private final List<Change> changes;
    private final Txn write;
    private final Account account;
    private final boolean chargedElsewhere;

    /** The thread that is in {@link #begin}. */
    private volatile @Nullable Thread caller;

    private final CompletableFuture<TxnResult> answer = new CompletableFuture<>();

    /** Completes behind the answer of the store, when the account knows of it. */
    private final CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();

    /** Completes behind the answer, when whoever waited for it has heard it. */
    private final CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();

    private long sentAs;
    private int rounds;

    Posting(List<Change> changes, Txn write, Account account, boolean chargedElsewhere) {
      this.change = changes.getFirst();
      this.changes = changes;
      this.write = write;
      this.account = account;
      this.chargedElsewhere = chargedElsewhere;
    }

    /** A page that was charged: what it was, and its epoch then. */
    private record Written(String quota, Account.Page page, Bytes value, long epoch) {}

    void begin() {
      caller = Thread.currentThread();
      attempt(false);
      caller = null;
    }

    /** Whoever calls may hold locks: what others do with theirs is done elsewhere then. */
    private void withoutLocks(Runnable task) {
      if (!Thread.currentThread().equals(caller)) {
        task.run();
        return;
      }
      try {
        loop.execute(task);
      } catch (RejectedExecutionException e) {
        // The server closes, and nobody waits any more.
        task.run();
      }
    }

    private void attempt() {
      attempt(false);
    }

    /**
     * @param waited whether it is its turn: otherwise those who waited go first
     */
    private void attempt(boolean waited) {
      try {
        round(waited);
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
      if (hasWork()) {
        withoutLocks(this::wake);
      }
    }

    private boolean hasWork() {
      synchronized (account) {
        return !account.waiting.isEmpty();
      }
    }

    private void round(boolean waited) {
      if (rounds++ > ROUNDS_MAX) {
        answer.completeExceptionally(busy(change.namespace()));
        return;
      }
      Register register = account.register();
      List<Charge> charges = Charge.of(register, changes);
      List<Compare> compares = new ArrayList<>(write.compares());
      List<Write> writes = new ArrayList<>(write.writes());
      compares.add(new Compare.ModRevision(Register.key(change.namespace()), register.revision()));
      Register next = change.isOfQuota() ? enrol(register, writes) : null;
      if (charges.isEmpty()) {
        settleWhenDone(store.commit(new Txn(compares, writes)), List.of(), next);
        return;
      }
      List<Written> written = new ArrayList<>(charges.size());
      Runnable instead = null;
      CompletableFuture<TxnResult> sent = null;
      synchronized (account) {
        if (account.inFlight >= account.window || (!waited && !account.waiting.isEmpty())) {
          account.waiting.add(() -> attempt(true));
          rounds--;
          return;
        }
        if (account.register().revision() != register.revision()) {
          instead = this::attempt;
        } else {
          instead = obstacle(register, charges);
        }
        if (instead == null) {
          for (Charge charge : charges) {
            written.add(charge(charge, compares, writes));
          }
          account.inFlight++;
          sent = store.commit(new Txn(compares, writes));
          account.lastSettled = settled;
          account.lastAnswered = answered;
          sentAs = ++account.sent;
        }
      }
      if (sent != null) {
        settleWhenDone(sent, written, next);
      } else if (instead != null) {
        instead.run();
      }
    }

    /** What must be done before the charges can be made; null if nothing. */
    private @Nullable Runnable obstacle(Register register, List<Charge> charges) {
      for (Charge charge : charges) {
        QuotaSpec quota = charge.quota();
        Account.Page page = account.page(quota.name());
        if (page == null) {
          return () -> load(quota);
        }
        boolean counted = page.ledger.counted();
        if (!charge.fault().isEmpty() || (counted && charge.refusal(page.ledger) != null)) {
          CompletableFuture<?> before = account.lastSettled;
          return () -> confirm(before);
        }
        if (!counted) {
          return () -> then(count(change.namespace(), account, register, quota), _ -> goOn());
        }
      }
      return null;
    }

    private Written charge(Charge charge, List<Compare> compares, List<Write> writes) {
      String quota = charge.quota().name();
      Account.Page page = account.page(quota);
      if (page == null || page.value == null) {
        throw new IllegalStateException("charged a ledger that is not there");
      }
      Bytes key = Ledger.key(change.namespace(), quota);
      var before = new Written(quota, page, page.value, page.epoch);
      Ledger after = page.ledger.charged(charge.delta());
      Bytes value = after.toBytes();
      compares.add(new Compare.Value(key, page.value));
      writes.add(new Write.Put(key, value));
      page.set(value, after);
      return before;
    }

    /** Keeps the register right when the object is a quota; null if it stays as it is. */
    private @Nullable Register enrol(Register register, List<Write> writes) {
      Bytes registerKey = Register.key(change.namespace());
      String name = change.registeredName();
      Bytes ledgerKey = Ledger.key(change.namespace(), name);
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
        writes.add(new Write.Put(ledgerKey, Ledger.uncounted(wanted).toBytes()));
      }
      return more;
    }

    private void settleWhenDone(
        CompletableFuture<TxnResult> sent, List<Written> written, @Nullable Register next) {
      var _ =
          sent.whenComplete(
              (result, failure) -> withoutLocks(() -> settled(result, failure, written, next)));
    }

    private void settled(
        @Nullable TxnResult result,
        @Nullable Throwable failure,
        List<Written> written,
        @Nullable Register next) {
      CompletableFuture<?> behind;
      boolean failsAlone;
      synchronized (account) {
        if (!written.isEmpty()) {
          account.inFlight--;
        }
        settle(result, written);
        behind = account.lastAnswered;
        failsAlone = written.isEmpty() || account.sent == sentAs;
      }
      if (result instanceof TxnResult.Committed committed) {
        committed(committed.revision(), written, next);
      }
      settled.complete(null);
      wake();
      if (result instanceof TxnResult.Rejected && !failsAlone) {
        // Those sent behind it fail with it. Decided again before they have, it would be
        // decided on what they wrote ahead in other books, and fail with them in turn.
        var _ = behind.whenComplete((_, _) -> answer(result, failure));
      } else {
        answer(result, failure);
      }
    }

    private void answer(@Nullable TxnResult result, @Nullable Throwable failure) {
      if (failure != null) {
        answer.completeExceptionally(failure);
      } else if (result != null) {
        answer.complete(result);
      }
      answered.complete(null);
    }

    /** Sets back what was written ahead and did not come to be. */
    private void settle(@Nullable TxnResult result, List<Written> written) {
      switch (result) {
        case TxnResult.Committed _ -> {
          account.window = Math.min(Account.WINDOW_MAX, account.window + 1);
          charges.add(written.size());
        }
        case TxnResult.Rejected rejected -> {
          chargesRepeated.add(written.size());
          for (Written one : written) {
            setBack(one, rejected);
          }
          learn(account, change.namespace(), rejected);
        }
        // Nobody knows: the next one looks.
        case null -> written.forEach(one -> account.forget(one.quota));
      }
    }

    private void setBack(Written one, TxnResult.Rejected rejected) {
      if (one.page.epoch != one.epoch) {
        return;
      }
      one.page.epoch++;
      Bytes key = Ledger.key(change.namespace(), one.quota);
      Bytes found = one.value;
      for (TxnResult.Failure failure : rejected.failures()) {
        if (failure.compare().key().equals(key)) {
          found = value(failure.current());
          account.window = Math.max(1, account.window / 2);
        }
      }
      QuotaSpec quota = account.register().quotas().get(one.quota);
      if (quota != null) {
        one.page.set(found, Account.ledger(quota, found));
      }
    }

    private void committed(long revision, List<Written> written, @Nullable Register next) {
      if (next != null) {
        account.learn(
            next.isEmpty() ? Register.NONE : new Register(revision, next.quotas()), revision);
        if (!change.isDelete()) {
          onCharge.accept(change.namespace(), change.registeredName());
        }
      }
      for (Written one : written) {
        onCharge.accept(change.namespace(), one.quota);
      }
    }

    private void load(QuotaSpec quota) {
      then(
          read(Ledger.key(change.namespace(), quota.name()), Store.NEWEST),
          found -> {
            account.learn(quota, value(found.item()));
            goOn();
          });
    }

    /** What was in the way is no more. */
    private void goOn() {
      if (chargedElsewhere) {
        answer.complete(new TxnResult.Rejected(account.register().revision(), List.of()));
      } else {
        attempt();
      }
    }

    /** Looks at the store, once those before have settled: only what is there may refuse. */
    private void confirm(CompletableFuture<?> before) {
      var _ =
          before.whenComplete(
              (_, _) ->
                  then(
                      readAndRefuse(changes, account, 0),
                      _ -> {
                        forgetUnlessInFlight();
                        goOn();
                      }));
    }

    private void forgetUnlessInFlight() {
      synchronized (account) {
        if (account.inFlight == 0) {
          account.register().quotas().keySet().forEach(account::forget);
        }
      }
    }

    /** Lets those go on that waited for room, one after the other and not on each other's stack. */
    private void wake() {
      while (true) {
        Runnable next;
        synchronized (account) {
          if (account.waking || account.inFlight >= account.window) {
            return;
          }
          next = account.waiting.poll();
          if (next == null) {
            return;
          }
          account.waking = true;
        }
        try {
          next.run();
        } finally {
          synchronized (account) {
            account.waking = false;
          }
        }
      }
    }

    private <T extends @Nullable Object> void then(
        CompletableFuture<T> future, Consumer<T> action) {
      var _ =
          future.whenComplete(
              (value, failure) -> {
                if (failure != null) {
                  answer.completeExceptionally(failure);
                  return;
                }
                try {
                  action.accept(value);
                } catch (RuntimeException e) {
                  answer.completeExceptionally(e);
                }
              });
    }
  }
}

package dev.evenkeel.store.testkit.history;

/**
 * How large a workload is. The seed decides what each client asks; the threads decide when.
 *
 * @param seed where the clients' choices come from
 * @param clients threads that ask
 * @param operationsPerClient after how many calls a client is done
 * @param readers threads that watch
 */
public record WorkloadOptions(long seed, int clients, int operationsPerClient, int readers) {

  /** Enough contention to find something, small enough to run in every build. */
  public static WorkloadOptions seed(long seed) {
    return new WorkloadOptions(seed, 6, 150, 4);
  }

  public WorkloadOptions operationsPerClient(int operations) {
    return new WorkloadOptions(seed, clients, operations, readers);
  }

  public WorkloadOptions clients(int count) {
    return new WorkloadOptions(seed, count, operationsPerClient, readers);
  }

  public WorkloadOptions readers(int count) {
    return new WorkloadOptions(seed, clients, operationsPerClient, count);
  }
}

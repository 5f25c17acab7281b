package dev.evenkeel.store.testkit.outside;

import java.util.ArrayList;
import java.util.List;

/**
 * How to start an etcd.
 *
 * @param quotaBackendBytes the size of its database at which it takes no more writes; 0 for its
 *     default
 * @param sync whether it syncs its log before it answers. Without, it is faster and a crash of the
 *     machine (not of the process) loses data: fine for contract tests, wrong for fault tests
 * @param flags further flags, as on the command line
 */
public record EtcdOptions(long quotaBackendBytes, boolean sync, List<String> flags) {

  /** etcd's own defaults. */
  public static final EtcdOptions DEFAULTS = new EtcdOptions(0, true, List.of());

  public EtcdOptions {
    flags = List.copyOf(flags);
  }

  public EtcdOptions quotaBackendBytes(long bytes) {
    return new EtcdOptions(bytes, sync, flags);
  }

  public EtcdOptions withoutSync() {
    return new EtcdOptions(quotaBackendBytes, false, flags);
  }

  public EtcdOptions flag(String flag) {
    var more = new ArrayList<>(flags);
    more.add(flag);
    return new EtcdOptions(quotaBackendBytes, sync, more);
  }

  List<String> arguments() {
    var arguments = new ArrayList<String>();
    if (quotaBackendBytes > 0) {
      arguments.add("--quota-backend-bytes=" + quotaBackendBytes);
    }
    if (!sync) {
      arguments.add("--unsafe-no-fsync");
    }
    arguments.addAll(flags);
    return arguments;
  }
}

package dev.evenkeel.store.testkit.outside;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three etcd members on loopback that elect a leader. Members are killed, paused and restarted one
 * by one, through {@link EtcdProcess}; two of them are enough to go on.
 */
public final class EtcdCluster implements AutoCloseable {

  private static final int SIZE = 3;
  private static final int START_ATTEMPTS_MAX = 5;
  private static final long LEADER_TIMEOUT_MILLIS = 60_000;
  private static final long POLL_MILLIS = 50;

  private final List<EtcdProcess> members;

  private EtcdCluster(List<EtcdProcess> members) {
    this.members = members;
  }

  /** Starts three empty members and waits until they have a leader. */
  public static EtcdCluster start() {
    return start(EtcdOptions.DEFAULTS);
  }

  /** Starts three empty members and waits until they have a leader. */
  public static EtcdCluster start(EtcdOptions options) {
    for (int attempt = 1; ; attempt++) {
      var cluster = create(options);
      try {
        cluster.members.forEach(EtcdProcess::launch);
        cluster.members.forEach(EtcdProcess::awaitReady);
        return cluster;
      } catch (IllegalStateException e) {
        // Most likely somebody took a port between the choice and the start: choose again.
        cluster.close();
        if (attempt == START_ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  private static EtcdCluster create(EtcdOptions options) {
    List<Integer> ports = LoopbackPorts.free(2 * SIZE);
    String initialCluster =
        IntStream.range(0, SIZE)
            .mapToObj(i -> "m" + i + "=" + EtcdProcess.url(ports.get(SIZE + i)))
            .collect(Collectors.joining(","));
    var members = new ArrayList<EtcdProcess>();
    for (int i = 0; i < SIZE; i++) {
      members.add(
          new EtcdProcess("m" + i, ports.get(i), ports.get(SIZE + i), initialCluster, options));
    }
    return new EtcdCluster(List.copyOf(members));
  }

  public List<EtcdProcess> members() {
    return members;
  }

  /** Where clients connect: all members, the dead ones too. */
  public List<String> endpoints() {
    return members.stream().map(EtcdProcess::endpoint).toList();
  }

  /**
   * Waits until one member takes itself for the leader and a majority agrees. A member that was the
   * leader and is cut off may believe it for a while longer; the majority does not.
   */
  public EtcdProcess leader() {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEADER_TIMEOUT_MILLIS);
    while (true) {
      Optional<EtcdProcess> leader = agreedLeader();
      if (leader.isPresent()) {
        return leader.get();
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("no leader after " + LEADER_TIMEOUT_MILLIS + " ms");
      }
      Waiting.millis(POLL_MILLIS);
    }
  }

  /** A running member that is not the leader. */
  public EtcdProcess follower() {
    EtcdProcess leader = leader();
    return members.stream()
        .filter(member -> member != leader && member.isRunning())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no member but the leader is running"));
  }

  private Optional<EtcdProcess> agreedLeader() {
    record Answer(EtcdProcess member, EtcdStatus status) {}
    var answers = new ArrayList<Answer>();
    for (EtcdProcess member : members) {
      if (member.isRunning()) {
        member.status().ifPresent(status -> answers.add(new Answer(member, status)));
      }
    }
    return answers.stream()
        .filter(answer -> answer.status.isLeader())
        .filter(
            answer ->
                answers.stream()
                        .filter(other -> other.status.leaderId().equals(answer.status.memberId()))
                        .count()
                    > SIZE / 2)
        .map(Answer::member)
        .findFirst();
  }

  @Override
  public void close() {
    members.forEach(EtcdProcess::close);
  }
}

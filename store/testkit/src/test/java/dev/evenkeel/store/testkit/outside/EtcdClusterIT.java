package dev.evenkeel.store.testkit.outside;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

@NeedsProgram("etcd")
@NeedsProgram("etcdctl")
class EtcdClusterIT {

  @Test
  void killedLeader_isReplacedAndComesBackWithAllData() {
    try (var cluster = EtcdCluster.start()) {
      EtcdProcess first = cluster.leader();
      first.etcdctl("put", "a", "1");

      first.kill();
      EtcdProcess second = cluster.leader();
      assertThat(second).isNotSameAs(first);
      second.etcdctl("put", "b", "2");

      first.restart();
      assertThat(first.etcdctl("get", "b", "--print-value-only").strip()).isEqualTo("2");
      assertThat(cluster.follower()).isNotSameAs(cluster.leader());
    }
  }
}

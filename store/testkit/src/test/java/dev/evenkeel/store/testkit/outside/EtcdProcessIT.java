package dev.evenkeel.store.testkit.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsProgram("etcd")
@NeedsProgram("etcdctl")
class EtcdProcessIT {

  @Test
  void killAndRestart_keepsDataAndEndpoint() {
    try (var etcd = EtcdProcess.start()) {
      etcd.etcdctl("put", "a", "1");
      String endpoint = etcd.endpoint();

      etcd.kill();
      assertThat(etcd.isRunning()).isFalse();
      assertThat(etcd.status()).isEmpty();

      etcd.restart();
      assertThat(etcd.endpoint()).isEqualTo(endpoint);
      assertThat(etcd.etcdctl("get", "a", "--print-value-only").strip()).isEqualTo("1");
    }
  }

  @Test
  void stopAndRestart_keepsData() {
    try (var etcd = EtcdProcess.start(EtcdOptions.DEFAULTS.withoutSync())) {
      etcd.etcdctl("put", "a", "1");
      etcd.stop();
      assertThat(etcd.isRunning()).isFalse();
      etcd.restart();
      assertThat(etcd.etcdctl("get", "a", "--print-value-only").strip()).isEqualTo("1");
    }
  }

  @Test
  void pause_answersNothingUntilResumed() {
    try (var etcd = EtcdProcess.start(EtcdOptions.DEFAULTS.withoutSync())) {
      etcd.pause();
      assertThat(etcd.isRunning()).isTrue();
      assertThat(etcd.status()).isEmpty();
      etcd.resume();
      etcd.awaitReady();
      assertThat(etcd.status()).isPresent();
    }
  }

  @Test
  void quota_refusesWritesAboveIt() {
    try (var etcd =
        EtcdProcess.start(EtcdOptions.DEFAULTS.withoutSync().quotaBackendBytes(64 * 1024))) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 20; i++) {
                  etcd.etcdctl("put", "k" + i, "x".repeat(32 * 1024));
                }
              })
          .hasMessageContaining("database space exceeded");
      etcd.restart();
      assertThat(etcd.isRunning()).isTrue();
    }
  }

  @Test
  void startFromSnapshot_hasItsData(@TempDir Path folder) {
    Path file = folder.resolve("snapshot");
    try (var etcd = EtcdProcess.start(EtcdOptions.DEFAULTS.withoutSync())) {
      etcd.etcdctl("put", "a", "1");
      etcd.etcdctl("snapshot", "save", file.toString());
    }
    try (var etcd = EtcdProcess.startFromSnapshot(file, EtcdOptions.DEFAULTS.withoutSync())) {
      assertThat(etcd.etcdctl("get", "a", "--print-value-only").strip()).isEqualTo("1");
    }
  }

  @Test
  void close_endsProcessAndDeletesFolder() {
    var etcd = EtcdProcess.start(EtcdOptions.DEFAULTS.withoutSync());
    etcd.close();
    assertThat(etcd.isRunning()).isFalse();
    assertThat(etcd.dataFolder().getParent()).doesNotExist();
  }
}

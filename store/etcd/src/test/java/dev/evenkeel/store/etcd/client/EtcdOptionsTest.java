package dev.evenkeel.store.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdOptionsTest {

  @Test
  void parse_readsEndpointsAndPrefix() {
    EtcdOptions options = EtcdOptions.parse("etcd://a:1,b:2,[::1]:3/tenant/one");
    assertThat(options.endpoints()).containsExactly("a:1", "b:2", "[::1]:3");
    assertThat(options.prefix()).isEqualTo("/tenant/one/");
    assertThat(options.tls()).isNull();
    assertThat(options.user()).isNull();
  }

  @Test
  void parse_fillsInWhatIsLeftOut() {
    EtcdOptions options = EtcdOptions.parse("etcd://localhost");
    assertThat(options).isEqualTo(EtcdOptions.of(List.of("http://localhost:2379")));
    assertThat(options.prefix()).isEqualTo("/evenkeel/");
    assertThat(EtcdOptions.parse("etcd://[::1]").endpoints()).containsExactly("[::1]:2379");
  }

  @Test
  void parse_readsSettings(@TempDir Path folder) throws IOException {
    Path password = Files.writeString(folder.resolve("password"), "secret\n");
    EtcdOptions options =
        EtcdOptions.parse(
            "etcd://a/p?ca=/ca.pem&cert=/c%20c.pem&key=/k.pem&user=root&password-file="
                + password
                + "&timeout-millis=700&settle-millis=0&max-request-bytes=1000&max-txn-ops=7");
    assertThat(options.tls())
        .isEqualTo(new EtcdOptions.Tls(Path.of("/ca.pem"), Path.of("/c c.pem"), Path.of("/k.pem")));
    assertThat(options.user()).isEqualTo(new EtcdOptions.User("root", "secret"));
    assertThat(options.requestTimeout()).isEqualTo(Duration.ofMillis(700));
    assertThat(options.settleTimeout()).isZero();
    assertThat(options.limits().requestBytesMax()).isEqualTo(1000);
    assertThat(options.limits().operationsMax()).isEqualTo(7);
  }

  @Test
  void text_neverShowsThePassword() {
    EtcdOptions options =
        EtcdOptions.of(List.of("a")).withUser(new EtcdOptions.User("root", "secret"));
    assertThat(options.toString()).contains("root").doesNotContain("secret");
  }

  @Test
  void parse_refusesWhatItDoesNotUnderstand() {
    refused("http://a", "etcd://");
    refused("etcd://", "host:port");
    refused("etcd://a,,b", "host:port");
    refused("etcd://a/", "names nothing");
    refused("etcd://a?color=red", "color");
    refused("etcd://a?timeout-millis=soon", "soon");
    refused("etcd://a?timeout-millis=0", "timeout");
    refused("etcd://a?user=root", "password-file");
    refused("etcd://a?cert=/c.pem", "key");
    refused("etcd://a?nonsense", "name=value");
  }

  private static void refused(String text, String because) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EtcdOptions.parse(text))
        .withMessageContaining(because);
  }
}

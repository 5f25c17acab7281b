package dev.evenkeel.store.etcd;

import static dev.evenkeel.store.etcd.Answers.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.etcd.client.EtcdOptions;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An etcd that speaks TLS only, and only with who shows a certificate. */
@NeedsProgram("etcd")
class EtcdTlsIT {

  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit sets the folder
  EtcdTlsIT() {}

  @Test
  void certificates_letInWhoHasThemAndNobodyElse() throws Exception {
    Path certificate = folder.resolve("certificate.pem");
    Path key = folder.resolve("key.pem");
    makeCertificate(certificate, key);
    int port = freePort();
    Process etcd = startEtcd(port, certificate, key);
    try {
      String address = "etcd://127.0.0.1:" + port + "/tls?timeout-millis=1000";
      String known = address + "&ca=" + certificate + "&cert=" + certificate + "&key=" + key;
      try (EtcdStore store = openWhenUp(EtcdOptions.parse(known))) {
        assertThat(put(store, "a", "1")).isPositive();
      }
      for (String stranger :
          List.of(address, address + "&tls=true", address + "&ca=" + certificate)) {
        assertThatExceptionOfType(StoreException.Unavailable.class)
            .isThrownBy(() -> EtcdStore.open(new RealEnv(), EtcdOptions.parse(stranger)));
      }
    } finally {
      etcd.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  private static EtcdStore openWhenUp(EtcdOptions options) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (true) {
      try {
        return EtcdStore.open(new RealEnv(), options);
      } catch (StoreException.Unavailable e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  private Process startEtcd(int port, Path certificate, Path key) throws IOException {
    String peer = "http://127.0.0.1:" + freePort();
    return new ProcessBuilder(
            "etcd",
            "--name=tls",
            "--data-dir=" + folder.resolve("data"),
            "--listen-client-urls=https://127.0.0.1:" + port,
            "--advertise-client-urls=https://127.0.0.1:" + port,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=tls=" + peer,
            "--cert-file=" + certificate,
            "--key-file=" + key,
            "--trusted-ca-file=" + certificate,
            "--client-cert-auth")
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("etcd.log").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** One that signs itself: authority, server and client in one. */
  private void makeCertificate(Path certificate, Path key)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve("keys.p12");
    var keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                "etcd",
                "-keyalg",
                "EC",
                "-dname",
                "CN=etcd",
                "-ext",
                "san=ip:127.0.0.1",
                "-ext",
                "bc=ca:true")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    pem(certificate, "CERTIFICATE", keys.getCertificate("etcd").getEncoded());
    pem(key, "PRIVATE KEY", keys.getKey("etcd", PASSWORD).getEncoded());
  }

  private static void pem(Path file, String what, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }
}

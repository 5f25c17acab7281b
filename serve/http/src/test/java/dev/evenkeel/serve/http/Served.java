package dev.evenkeel.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.pem.Pem;
import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.http.tls.CredentialFolder;
import dev.evenkeel.serve.http.tls.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A toy core behind a real listener, and the ways to talk to it. */
final class Served implements AutoCloseable {

  final ToyHandler handler = new ToyHandler();
  final Credentials credentials;
  final ApiListener listener;

  Served(Path folder) {
    this(folder, ListenSettings.on("127.0.0.1", 0).withEventLoops(2));
  }

  Served(Path folder, HttpLimits limits) {
    this(folder, ListenSettings.on("127.0.0.1", 0).withEventLoops(2).withLimits(limits));
  }

  Served(Path folder, ListenSettings settings) {
    try {
      credentials = CredentialFolder.open(folder.resolve("pki"), "127.0.0.1", Instant.now());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    listener = ApiListener.open(new RealEnv(), handler, credentials.server(), settings).join();
  }

  URI uri(String path) {
    return URI.create("https://127.0.0.1:" + listener.port() + path);
  }

  HttpRequest get(String path) {
    return HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30)).build();
  }

  HttpClient client(HttpClient.Version version) {
    return client(version, trusting(null, null));
  }

  /** A client that shows the admin's certificate. */
  HttpClient adminClient() {
    return client(
        HttpClient.Version.HTTP_2,
        trusting(credentials.adminCertificatePem(), credentials.adminKeyPem()));
  }

  HttpClient client(HttpClient.Version version, SSLContext context) {
    return HttpClient.newBuilder()
        .version(version)
        .sslContext(context)
        .connectTimeout(Duration.ofSeconds(10))
        .build();
  }

  /** Trusts the server, and shows the certificate if there is one. */
  SSLContext trusting(@Nullable String certificatePem, @Nullable String keyPem) {
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", Pem.certificate(credentials.authorityPem()));
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      KeyStore own = KeyStore.getInstance(KeyStore.getDefaultType());
      own.load(null, null);
      if (certificatePem != null && keyPem != null) {
        own.setKeyEntry(
            "own",
            Pem.privateKey(keyPem),
            new char[0],
            new java.security.cert.Certificate[] {Pem.certificate(certificatePem)});
      }
      keys.init(own, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A connection in the test's own hands, after the handshake. */
  SSLSocket socket(String... protocols) throws IOException {
    var plain = new Socket(InetAddress.getLoopbackAddress(), listener.port());
    plain.setSoTimeout(20_000);
    var socket =
        (SSLSocket)
            trusting(null, null)
                .getSocketFactory()
                .createSocket(plain, "127.0.0.1", listener.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(protocols);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    listener.stop(Duration.ZERO).join();
  }
}

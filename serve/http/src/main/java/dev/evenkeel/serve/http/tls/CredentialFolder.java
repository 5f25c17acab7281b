package dev.evenkeel.serve.http.tls;

import dev.evenkeel.kernel.pem.Pem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.KeyGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The folder that holds a server's credentials. What is missing is made; what runs out soon is
 * renewed; a server certificate that does not cover the listen address is replaced. The authority
 * stays, so that what clients trust stays.
 *
 * <pre>
 *   ca.crt ca.key            the authority
 *   server.crt server.key    the server
 *   admin.crt admin.key      the first user: kubernetes-admin of system:masters
 *   admin.token              the same user's token
 *   sa.key sa.pub            signs tokens of service accounts
 *   sa-….pub                 keys that signed before, which verify until they are removed
 * </pre>
 *
 * <p><b>Threading.</b> One call at a time, also across processes: the folder is locked meanwhile.
 */
public final class CredentialFolder {

  private static final Duration AUTHORITY_VALIDITY = Duration.ofDays(3650);
  private static final Duration CERTIFICATE_VALIDITY = Duration.ofDays(365);
  private static final Duration RENEWED_BEFORE_END = Duration.ofDays(90);

  private final Path folder;
  private final Instant now;

  private CredentialFolder(Path folder, Instant now) {
    this.folder = folder;
    this.now = now;
  }

  /**
   * Reads the credentials, and makes what is missing.
   *
   * @param listenHost what the server listens on, and its certificate must cover
   * @throws IOException if the folder cannot be used; the message says what is wrong with which
   *     file
   */
  public static Credentials open(Path folder, String listenHost, Instant now) throws IOException {
    PrivateFiles.makeFolder(folder);
    try (FileChannel lock =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      var held = lock.lock();
      try {
        return new CredentialFolder(folder, now).credentials(listenHost);
      } catch (GeneralSecurityException e) {
        throw new IOException("credentials cannot be made: " + e.getMessage(), e);
      } finally {
        held.release();
      }
    }
  }

  private Credentials credentials(String listenHost) throws IOException, GeneralSecurityException {
    Issuer issuer = issuer();
    Issuer.Issued server = server(issuer, listenHost);
    Issuer.Issued admin = admin(issuer);
    return new Credentials(
        new ServerIdentity(
            List.of(server.certificate()), server.key(), List.of(issuer.certificate())),
        Pem.of(issuer.certificate()),
        Pem.of(admin.certificate()),
        Pem.of((ECPrivateKey) admin.key(), (ECPublicKey) admin.certificate().getPublicKey()),
        token(),
        accountKey(),
        olderAccountKeys());
  }

  private Issuer issuer() throws IOException, GeneralSecurityException {
    Issuer.Issued known = read("ca");
    if (known != null && lasts(known.certificate())) {
      return new Issuer(known.certificate(), known.key());
    }
    Issuer made = Issuer.create("evenkeel-ca", now, AUTHORITY_VALIDITY);
    write("ca", made.certificate(), made.key());
    return made;
  }

  private Issuer.Issued server(Issuer issuer, String listenHost)
      throws IOException, GeneralSecurityException {
    Set<String> names = Hosts.covering(listenHost);
    Issuer.Issued known = read("server");
    if (known != null && isGood(known, issuer) && covers(known.certificate(), names)) {
      return known;
    }
    Issuer.Issued made = issuer.server(names, now, CERTIFICATE_VALIDITY);
    write("server", made.certificate(), made.key());
    return made;
  }

  private Issuer.Issued admin(Issuer issuer) throws IOException, GeneralSecurityException {
    Issuer.Issued known = read("admin");
    if (known != null && isGood(known, issuer)) {
      return known;
    }
    Issuer.Issued made =
        issuer.client("kubernetes-admin", List.of("system:masters"), now, CERTIFICATE_VALIDITY);
    write("admin", made.certificate(), made.key());
    return made;
  }

  private String token() throws IOException, GeneralSecurityException {
    Path file = folder.resolve("admin.token");
    if (Files.exists(file)) {
      String known = Files.readString(file, StandardCharsets.UTF_8).strip();
      if (!known.isEmpty()) {
        return known;
      }
    }
    KeyGenerator generator = KeyGenerator.getInstance("HmacSHA256");
    generator.init(256);
    String made = HexFormat.of().formatHex(generator.generateKey().getEncoded());
    PrivateFiles.write(file, made + "\n");
    return made;
  }

  /** On P-256 as all the others: made at once, and to sign with it takes next to no time. */
  private String accountKey() throws IOException, GeneralSecurityException {
    Path file = folder.resolve("sa.key");
    if (Files.exists(file)) {
      return Files.readString(file, StandardCharsets.US_ASCII);
    }
    KeyPair made = CertificateMaker.newKeys();
    String pem = Pem.of(made.getPrivate());
    PrivateFiles.write(folder.resolve("sa.pub"), Pem.of(made.getPublic()));
    PrivateFiles.write(file, pem);
    return pem;
  }

  private List<String> olderAccountKeys() throws IOException {
    List<String> keys = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "sa-*.pub")) {
      for (Path file : files) {
        keys.add(Files.readString(file, StandardCharsets.US_ASCII));
      }
    }
    return keys;
  }

  private boolean isGood(Issuer.Issued known, Issuer issuer) {
    return isOf(known.certificate(), issuer.certificate()) && lasts(known.certificate());
  }

  /**
   * Whether it was issued by that authority, and not by one that was replaced. The identifiers of
   * the key say so, if both have them: checking a signature takes a JVM that has just started
   * longer than opening the store.
   */
  private static boolean isOf(X509Certificate certificate, X509Certificate authority) {
    byte[] named = KeyIdentifiers.ofAuthority(certificate);
    byte[] own = KeyIdentifiers.ofSubject(authority);
    if (named != null && own != null) {
      return Arrays.equals(named, own);
    }
    try {
      certificate.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private boolean lasts(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant().isAfter(now.plus(RENEWED_BEFORE_END));
  }

  private static boolean covers(X509Certificate certificate, Set<String> names) {
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives == null) {
        return false;
      }
      Set<String> covered =
          alternatives.stream()
              .map(alternative -> comparable(String.valueOf(alternative.get(1))))
              .collect(Collectors.toSet());
      return names.stream().map(CredentialFolder::comparable).allMatch(covered::contains);
    } catch (CertificateParsingException e) {
      return false;
    }
  }

  /** An IPv6 address is written in more than one way. */
  private static String comparable(String name) {
    if (!Hosts.isAddress(name)) {
      return name;
    }
    try {
      return InetAddress.getByName(name).getHostAddress();
    } catch (UnknownHostException e) {
      return name;
    }
  }

  private Issuer.@Nullable Issued read(String name) throws IOException {
    Path certificate = folder.resolve(name + ".crt");
    Path key = folder.resolve(name + ".key");
    if (!Files.exists(certificate) || !Files.exists(key)) {
      return null;
    }
    try {
      return new Issuer.Issued(
          Pem.certificate(Files.readString(certificate, StandardCharsets.US_ASCII)),
          Pem.privateKey(Files.readString(key, StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IOException(
          certificate
              + " or "
              + key
              + " cannot be read ("
              + e.getMessage()
              + "). Remove both, and new ones are made",
          e);
    }
  }

  private void write(String name, X509Certificate certificate, PrivateKey key) throws IOException {
    // The key first: a certificate that is there has its key.
    PrivateFiles.write(folder.resolve(name + ".key"), Pem.of(key));
    PrivateFiles.write(folder.resolve(name + ".crt"), Pem.of(certificate));
  }
}

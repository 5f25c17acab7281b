package dev.evenkeel.observe.http;

import dev.evenkeel.kernel.pem.Pem;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Whom to trust and who to be, as the JDK's TLS wants it. */
public final class Tls {

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private Tls() {}

  /**
   * What a client of that server needs.
   *
   * @throws ConfigurationException if the certificates cannot be used
   */
  public static SSLContext context(HttpSettings settings) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(settings.identity()), trust(settings.trust()), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new ConfigurationException(
          "the certificates for " + settings.server() + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static KeyManager @Nullable [] keys(Identity identity)
      throws GeneralSecurityException, IOException {
    if (!(identity instanceof Identity.Certificate own)) {
      return null;
    }
    PrivateKey key = Pem.privateKey(own.keyPem());
    KeyStore store = emptyStore();
    store.setKeyEntry(
        "own",
        key,
        new char[0],
        Pem.certificates(own.certificatePem()).toArray(new Certificate[0]));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static TrustManager @Nullable [] trust(HttpSettings.Trust trust)
      throws GeneralSecurityException, IOException {
    if (trust.anybody()) {
      return new TrustManager[] {new Named(null, null)};
    }
    if (trust.authorityPem() == null && trust.serverName() == null) {
      return null;
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    if (trust.authorityPem() == null) {
      factory.init((KeyStore) null);
    } else {
      KeyStore store = emptyStore();
      List<X509Certificate> authorities = Pem.certificates(trust.authorityPem());
      for (int i = 0; i < authorities.size(); i++) {
        store.setCertificateEntry("authority-" + i, authorities.get(i));
      }
      factory.init(store);
    }
    TrustManager[] managers = factory.getTrustManagers();
    return trust.serverName() == null
        ? managers
        : new TrustManager[] {new Named((X509TrustManager) managers[0], trust.serverName())};
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }

  /**
   * Trusts whom the authority vouches for, under a name that is not the address's; without an
   * authority, everybody. The JDK's client has no setting for either.
   */
  private static final class Named extends X509ExtendedTrustManager {
    private final @Nullable X509TrustManager authority;
    private final @Nullable String name;

    Named(@Nullable X509TrustManager authority, @Nullable String name) {
      this.authority = authority;
      this.name = name;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      if (authority == null || name == null) {
        return;
      }
      authority.checkServerTrusted(chain, type);
      if (!names(chain[0], name.toLowerCase(Locale.ROOT))) {
        throw new CertificateException("the server's certificate does not name " + name);
      }
    }

    private static boolean names(X509Certificate certificate, String name)
        throws CertificateException {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives == null) {
        return false;
      }
      for (List<?> alternative : alternatives) {
        boolean comparable =
            alternative.get(0).equals(DNS_NAME) || alternative.get(0).equals(IP_ADDRESS);
        String named = String.valueOf(alternative.get(1)).toLowerCase(Locale.ROOT);
        if (comparable && (named.equals(name) || isWildcardFor(named, name))) {
          return true;
        }
      }
      return false;
    }

    private static boolean isWildcardFor(String named, String name) {
      int dot = name.indexOf('.');
      return named.startsWith("*.") && dot > 0 && name.substring(dot).equals(named.substring(1));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      checkServerTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return authority == null ? new X509Certificate[0] : authority.getAcceptedIssuers();
    }
  }
}

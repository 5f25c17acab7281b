package dev.evenkeel.serve.http.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The server's certificate with its key, and whose client certificates it believes.
 *
 * @param chain the server's own certificate first
 * @param clientAuthorities who signs client certificates
 */
public record ServerIdentity(
    List<X509Certificate> chain, PrivateKey key, List<X509Certificate> clientAuthorities) {

  public ServerIdentity {
    chain = List.copyOf(chain);
    clientAuthorities = List.copyOf(clientAuthorities);
    if (chain.isEmpty() || clientAuthorities.isEmpty()) {
      throw new IllegalArgumentException("a server needs a certificate and an authority");
    }
  }

  /** Presents the certificate. Without a key store: those encrypt keys, and take their time. */
  public KeyManagerFactory keyManagerFactory() {
    return new OneKeyFactory(new OneKey(chain.toArray(new X509Certificate[0]), key));
  }

  public TrustManagerFactory trustManagerFactory() {
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (int i = 0; i < clientAuthorities.size(); i++) {
        trusted.setCertificateEntry("authority-" + i, clientAuthorities.get(i));
      }
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the JDK cannot hold a certificate", e);
    }
  }

  private static final class OneKeyFactory extends KeyManagerFactory {
    OneKeyFactory(OneKey key) {
      super(
          new KeyManagerFactorySpi() {
            @Override
            protected void engineInit(@Nullable KeyStore store, char @Nullable [] password) {}

            @Override
            protected void engineInit(@Nullable ManagerFactoryParameters parameters) {}

            @Override
            protected KeyManager[] engineGetKeyManagers() {
              return new KeyManager[] {key};
            }
          },
          Security.getProviders()[0],
          "one-key");
    }
  }

  private static final class OneKey extends X509ExtendedKeyManager {

    private static final String ALIAS = "server";

    private final X509Certificate[] chain;
    private final PrivateKey key;

    OneKey(X509Certificate[] chain, PrivateKey key) {
      this.chain = chain;
      this.key = key;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return fits(keyType) ? new String[] {ALIAS} : null;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return fits(keyType) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return fits(keyType) ? ALIAS : null;
    }

    private boolean fits(String keyType) {
      return keyType.startsWith(key.getAlgorithm());
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return ALIAS.equals(alias) ? chain.clone() : null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return ALIAS.equals(alias) ? key : null;
    }
  }
}

package dev.evenkeel.serve.http.connection;

import dev.evenkeel.serve.api.ApiRequest.Peer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/** Reads who is there off a verified client certificate. */
final class Peers {

  private Peers() {}

  /** Null without TLS, without a certificate, and for one that names nobody. */
  static @Nullable Peer of(@Nullable SSLSession session) {
    if (session == null) {
      return null;
    }
    try {
      return session.getPeerCertificates()[0] instanceof X509Certificate certificate
          ? named(certificate.getSubjectX500Principal())
          : null;
    } catch (SSLPeerUnverifiedException e) {
      return null; // no certificate was sent
    }
  }

  static @Nullable Peer named(X500Principal subject) {
    String name = null;
    List<String> groups = new ArrayList<>();
    try {
      for (Rdn rdn : new LdapName(subject.getName(X500Principal.RFC2253)).getRdns()) {
        var attributes = rdn.toAttributes().getAll();
        while (attributes.hasMore()) {
          Attribute attribute = attributes.next();
          for (int i = 0; i < attribute.size(); i++) {
            String value = String.valueOf(attribute.get(i));
            switch (attribute.getID()) {
              case "CN", "cn" -> name = value;
              case "O", "o" -> groups.add(value);
              default -> {}
            }
          }
        }
      }
    } catch (InvalidNameException e) {
      return null;
    } catch (NamingException e) {
      return null;
    }
    return name == null || name.isEmpty() ? null : new Peer(name, groups);
  }
}

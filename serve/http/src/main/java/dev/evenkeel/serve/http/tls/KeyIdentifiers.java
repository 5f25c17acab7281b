package dev.evenkeel.serve.http.tls;

import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The short names of keys in certificates (RFC 5280, 4.2.1.1 and 4.2.1.2), in the one form that our
 * own certificates have them: a digest of 20 bytes and nothing beside it.
 */
final class KeyIdentifiers {

  private static final String AUTHORITY = "2.5.29.35";
  private static final String SUBJECT = "2.5.29.14";

  /** OCTET STRING { SEQUENCE { [0] of 20 bytes } }. */
  private static final byte[] AUTHORITY_HEAD = {0x04, 0x18, 0x30, 0x16, (byte) 0x80, 0x14};

  /** OCTET STRING { OCTET STRING of 20 bytes }. */
  private static final byte[] SUBJECT_HEAD = {0x04, 0x16, 0x04, 0x14};

  private static final int DIGEST_BYTES = 20;

  private KeyIdentifiers() {}

  /** Of the key that signed the certificate; null if it does not say so in our form. */
  static byte @Nullable [] ofAuthority(X509Certificate certificate) {
    return behind(AUTHORITY_HEAD, certificate.getExtensionValue(AUTHORITY));
  }

  /** Of the certificate's own key; null if it does not say so in our form. */
  static byte @Nullable [] ofSubject(X509Certificate certificate) {
    return behind(SUBJECT_HEAD, certificate.getExtensionValue(SUBJECT));
  }

  private static byte @Nullable [] behind(byte[] head, byte @Nullable [] value) {
    if (value == null
        || value.length != head.length + DIGEST_BYTES
        || !Arrays.equals(value, 0, head.length, head, 0, head.length)) {
      return null;
    }
    return Arrays.copyOfRange(value, head.length, value.length);
  }
}

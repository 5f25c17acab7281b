package dev.evenkeel.serve.token;

import dev.evenkeel.kernel.pem.Pem;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The key that signs tokens, and all that they are verified with. To rotate a key is to sign with a
 * new one and keep the old one among those that verify, until the last token that it signed has
 * expired.
 *
 * @param verifying the signing key's own first
 */
public record KeyRing(SigningKey signing, List<VerificationKey> verifying) {

  public KeyRing {
    Map<String, VerificationKey> byId = new LinkedHashMap<>();
    byId.put(signing.verification().id(), signing.verification());
    verifying.forEach(key -> byId.putIfAbsent(key.id(), key));
    verifying = List.copyOf(byId.values());
  }

  /**
   * Reads keys as they are in files.
   *
   * @param signingPem a private key
   * @param verifyingPem public keys, certificates, or private keys for their public half
   * @throws GeneralSecurityException whose message says what is wrong, and nothing of a key
   */
  public static KeyRing parse(String signingPem, List<String> verifyingPem)
      throws GeneralSecurityException {
    List<VerificationKey> verifying = new ArrayList<>();
    for (String pem : verifyingPem) {
      verifying.addAll(verifying(pem));
    }
    return new KeyRing(SigningKey.of(Pem.privateKey(signingPem)), verifying);
  }

  /** All keys of one file that verify. */
  public static List<VerificationKey> verifying(String pem) throws GeneralSecurityException {
    if (pem.contains("PRIVATE KEY-----")) {
      return List.of(SigningKey.of(Pem.privateKey(pem)).verification());
    }
    List<VerificationKey> keys = new ArrayList<>();
    for (PublicKey key : Pem.publicKeys(pem)) {
      keys.add(VerificationKey.of(key));
    }
    return keys;
  }

  /** Those that a token may be verified with: the one that it names, or any if it names none. */
  List<VerificationKey> named(String id) {
    return id.isEmpty()
        ? verifying
        : verifying.stream().filter(key -> key.id().equals(id)).toList();
  }
}

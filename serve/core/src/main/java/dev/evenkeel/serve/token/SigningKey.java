package dev.evenkeel.serve.token;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;

/** The key that signs new tokens, and the one that verifies them. */
public record SigningKey(PrivateKey key, VerificationKey verification) {

  public static SigningKey of(PrivateKey key) throws GeneralSecurityException {
    return new SigningKey(key, VerificationKey.of(PublicKeys.of(key)));
  }

  byte[] sign(byte[] content) {
    try {
      Signature signer = Signature.getInstance(verification.algorithm().signature());
      signer.initSign(key);
      signer.update(content);
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key signs no tokens any more", e);
    }
  }

  /** Names nothing of the secret. */
  @Override
  public String toString() {
    return "SigningKey[" + verification.id() + "]";
  }
}

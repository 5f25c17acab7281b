package dev.evenkeel.kernel.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import org.junit.jupiter.api.Test;

class PemTest {

  private static KeyPair newKeys(String curve) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(curve));
    return generator.generateKeyPair();
  }

  private static String elliptic(KeyPair keys) {
    return Pem.of((ECPrivateKey) keys.getPrivate(), (ECPublicKey) keys.getPublic());
  }

  @Test
  void key_readsBackFromBothForms() throws GeneralSecurityException {
    // Enough of them to have numbers with leading zeros, and with a first bit like a sign.
    for (int i = 0; i < 600; i++) {
      KeyPair keys = newKeys("secp256r1");
      var key = (ECPrivateKey) keys.getPrivate();
      var plain = (ECPrivateKey) Pem.privateKey(Pem.of(keys.getPrivate()));
      var elliptic = (ECPrivateKey) Pem.privateKey(elliptic(keys));
      assertThat(plain.getS()).isEqualTo(key.getS());
      assertThat(elliptic.getS()).isEqualTo(key.getS());
    }
  }

  @Test
  void ellipticForm_saysWhatItIs() throws GeneralSecurityException {
    assertThat(elliptic(newKeys("secp256r1"))).startsWith("-----BEGIN EC PRIVATE KEY-----\n");
  }

  @Test
  void otherCurves_areRefused() throws GeneralSecurityException {
    KeyPair other = newKeys("secp384r1");
    assertThatThrownBy(() -> elliptic(other)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                Pem.privateKey(
                    "-----BEGIN EC PRIVATE KEY-----\nMAA=\n-----END EC PRIVATE KEY-----\n"))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("curve");
  }
}

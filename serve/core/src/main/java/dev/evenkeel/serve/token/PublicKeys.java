package dev.evenkeel.serve.token;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EllipticCurve;
import java.security.spec.RSAPublicKeySpec;
import javax.crypto.KeyAgreement;

/** Finds the public key that belongs to a private one. */
final class PublicKeys {

  private PublicKeys() {}

  static PublicKey of(PrivateKey key) throws GeneralSecurityException {
    if (key instanceof RSAPrivateCrtKey rsa) {
      return KeyFactory.getInstance("RSA")
          .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
    }
    if (key instanceof ECPrivateKey ec) {
      return ofCurve(ec);
    }
    throw new InvalidKeyException("an algorithm other than RSA and ECDSA");
  }

  /*
   * The public point is the private number times the curve's generator. The JDK multiplies points
   * in one place that is open to all: a key agreement, here with whoever has the generator as their
   * public key. It gives the point's x; y is one of two roots, and which one, a signature tells.
   */
  private static PublicKey ofCurve(ECPrivateKey key) throws GeneralSecurityException {
    ECParameterSpec curve = key.getParams();
    KeyFactory factory = KeyFactory.getInstance("EC");
    KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
    agreement.init(key);
    agreement.doPhase(
        factory.generatePublic(new ECPublicKeySpec(curve.getGenerator(), curve)), true);
    BigInteger x = new BigInteger(1, agreement.generateSecret());
    BigInteger y = root(curve.getCurve(), x);
    BigInteger prime = ((ECFieldFp) curve.getCurve().getField()).getP();
    byte[] probe = {1, 2, 3};
    for (BigInteger candidate : new BigInteger[] {y, prime.subtract(y)}) {
      PublicKey found =
          factory.generatePublic(new ECPublicKeySpec(new ECPoint(x, candidate), curve));
      var pair = new SigningKey(key, VerificationKey.of(found));
      if (pair.verification().hasSigned(probe, pair.sign(probe))) {
        return found;
      }
    }
    throw new InvalidKeyException("the key has no public half");
  }

  /** A root of the curve's equation; all of its primes are three more than a multiple of four. */
  private static BigInteger root(EllipticCurve curve, BigInteger x) {
    BigInteger prime = ((ECFieldFp) curve.getField()).getP();
    BigInteger square = x.pow(3).add(curve.getA().multiply(x)).add(curve.getB()).mod(prime);
    return square.modPow(prime.add(BigInteger.ONE).shiftRight(2), prime);
  }
}

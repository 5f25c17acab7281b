package dev.evenkeel.serve.token;

/** Makes tokens of claims. */
public final class TokenIssuer {

  private TokenIssuer() {}

  /** The token that says so, signed. */
  public static String issue(TokenSettings settings, TokenClaims claims) {
    return Jws.sign(settings.keys().signing(), claims.toJson());
  }
}

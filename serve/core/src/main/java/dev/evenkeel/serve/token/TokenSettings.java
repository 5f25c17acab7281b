package dev.evenkeel.serve.token;

import java.util.List;

/**
 * What makes a server issue tokens of service accounts, and take them.
 *
 * @param issuers whom tokens name as their issuer: new ones the first, and those of all are taken
 * @param audiences what this server is called in tokens; never empty
 * @param jwksUri where others find the keys; empty for this server's own address
 */
public record TokenSettings(
    List<String> issuers, List<String> audiences, KeyRing keys, String jwksUri) {

  /** What clusters that name none call themselves. */
  public static final String ISSUER_DEFAULT = "https://kubernetes.default.svc.cluster.local";

  public TokenSettings {
    issuers = List.copyOf(issuers);
    audiences = audiences.isEmpty() ? issuers : List.copyOf(audiences);
    if (issuers.isEmpty()) {
      throw new IllegalArgumentException("tokens need an issuer");
    }
  }

  public static TokenSettings of(KeyRing keys) {
    return new TokenSettings(List.of(ISSUER_DEFAULT), List.of(), keys, "");
  }
}

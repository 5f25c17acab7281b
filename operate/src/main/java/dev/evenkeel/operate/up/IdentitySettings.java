package dev.evenkeel.operate.up;

import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.caller.TokenDigest;
import dev.evenkeel.serve.http.tls.Credentials;
import dev.evenkeel.serve.token.KeyRing;
import dev.evenkeel.serve.token.TokenException;
import dev.evenkeel.serve.token.TokenFile;
import dev.evenkeel.serve.token.TokenSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code up} was told about who may come.
 *
 * @param issuers of service accounts' tokens: the first issues, the others are taken too; empty for
 *     the default
 * @param audiences what the server is called in tokens; empty for the issuers
 * @param jwksUri where others find the keys; empty for the server's own address
 * @param signingKey signs tokens; null for the one in the data folder
 * @param verificationKeys verify tokens besides
 * @param tokenFile of tokens that never change; null if there is none
 */
record IdentitySettings(
    List<String> issuers,
    List<String> audiences,
    String jwksUri,
    @Nullable Path signingKey,
    List<Path> verificationKeys,
    @Nullable Path tokenFile) {

  IdentitySettings {
    issuers = List.copyOf(issuers);
    audiences = List.copyOf(audiences);
    verificationKeys = List.copyOf(verificationKeys);
  }

  /** What does not go together, if anything. */
  @Nullable String problem() {
    if (issuers.contains("")) {
      return "--service-account-issuer must not be empty";
    }
    if (!jwksUri.isEmpty() && !jwksUri.startsWith("https://")) {
      return "--service-account-jwks-uri must begin with https://";
    }
    return null;
  }

  /** How tokens of service accounts are issued and verified. */
  TokenSettings tokens(Credentials credentials) {
    List<String> named = issuers.isEmpty() ? List.of(TokenSettings.ISSUER_DEFAULT) : issuers;
    return new TokenSettings(named, audiences, keys(credentials), jwksUri);
  }

  /** Who comes with a token that never changes. */
  Map<TokenDigest, Caller> callers() {
    if (tokenFile == null) {
      return Map.of();
    }
    try {
      return TokenFile.parse(read("--token-auth-file", tokenFile));
    } catch (TokenException e) {
      throw unusable("--token-auth-file", tokenFile, e);
    }
  }

  private KeyRing keys(Credentials credentials) {
    List<String> verifying = new ArrayList<>();
    for (Path file : verificationKeys) {
      String pem = read("--service-account-key-file", file);
      try {
        var _ = KeyRing.verifying(pem);
      } catch (GeneralSecurityException e) {
        throw unusable("--service-account-key-file", file, e);
      }
      verifying.add(pem);
    }
    if (signingKey != null) {
      try {
        return KeyRing.parse(read("--service-account-signing-key-file", signingKey), verifying);
      } catch (GeneralSecurityException e) {
        throw unusable("--service-account-signing-key-file", signingKey, e);
      }
    }
    verifying.addAll(credentials.olderAccountKeysPem());
    try {
      return KeyRing.parse(credentials.accountKeyPem(), verifying);
    } catch (GeneralSecurityException e) {
      throw new StartException(
          "the keys sa.key and sa-*.pub of the data folder's pki sign and verify no tokens: "
              + e.getMessage()
              + ".",
          e);
    }
  }

  static String read(String option, Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unusable(option, file, e);
    }
  }

  static StartException unusable(String option, Path file, Exception e) {
    String why = e instanceof IOException ? "it cannot be read" : String.valueOf(e.getMessage());
    return new StartException(option + " " + file + " cannot be used: " + why + ".", e);
  }
}

package dev.evenkeel.observe.http;

import java.nio.file.Path;

/** Who to be. */
public sealed interface Identity {

  /** Nobody: the server decides what it lets strangers do. */
  record Anonymous() implements Identity {}

  /** The bearer of a token. */
  record Token(String token) implements Identity {
    @Override
    public String toString() {
      return "Token[secret]";
    }
  }

  /** The bearer of a token that is replaced now and then: the file is read again once a minute. */
  record TokenFile(Path file) implements Identity {}

  /** Who a certificate names, proved by its key, both as PEM. */
  record Certificate(String certificatePem, String keyPem) implements Identity {
    @Override
    public String toString() {
      return "Certificate[secret key]";
    }
  }
}

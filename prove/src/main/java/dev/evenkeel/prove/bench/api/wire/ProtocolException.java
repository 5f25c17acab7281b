package dev.evenkeel.prove.bench.api.wire;

/** The server sent what its protocol does not allow, or what this client does not understand. */
final class ProtocolException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ProtocolException(String message) {
    super(message);
  }
}

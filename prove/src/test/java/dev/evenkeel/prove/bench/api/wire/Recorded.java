package dev.evenkeel.prove.bench.api.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Remembers an answer. */
final class Recorded implements Receiver {

  int status;
  boolean ended;
  String failure = "";
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  void clear() {
    status = 0;
    ended = false;
    failure = "";
    body.reset();
  }

  String text() {
    return body.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void head(int code) {
    status = code;
  }

  @Override
  public void bytes(byte[] bytes, int from, int to) {
    body.write(bytes, from, to - from);
  }

  @Override
  public void end() {
    ended = true;
  }

  @Override
  public void failed(String kind) {
    failure = kind;
  }
}

package dev.evenkeel.serve.present;

import dev.evenkeel.serve.api.BodyStream;
import java.io.ByteArrayOutputStream;

/**
 * JSON with a line for each value, for people to read: two spaces a level, as upstream writes it.
 * It works on the bytes as they pass, so a long list is not held.
 *
 * <p><b>Threading:</b> pulled by one thread at a time.
 */
public final class IndentedStream implements BodyStream {

  private static final byte[] NOTHING = new byte[0];

  private final BodyStream plain;
  private final Indenter indenter = new Indenter();

  public IndentedStream(BodyStream plain) {
    this.plain = plain;
  }

  /** A body that is there as a whole. */
  public static byte[] of(byte[] json) {
    var indenter = new Indenter();
    indenter.add(json);
    return indenter.take();
  }

  @Override
  public Pull pull(Sink sink, int bytesMax) {
    return plain.pull(
        (head, body, tail) -> {
          indenter.add(head);
          indenter.add(body);
          indenter.add(tail);
          sink.piece(indenter.take(), NOTHING, NOTHING);
        },
        bytesMax);
  }

  @Override
  public void onReady(Runnable listener) {
    plain.onReady(listener);
  }

  @Override
  public void close() {
    plain.close();
  }

  /**
   * Puts line breaks where JSON allows them and takes out those that were there. Depth is counted,
   * not kept: what came is known to be JSON.
   */
  private static final class Indenter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int depth;
    private boolean inText;
    private boolean escaped;
    private boolean opened;

    void add(byte[] json) {
      for (byte b : json) {
        if (inText) {
          text(b);
        } else {
          mark(b);
        }
      }
    }

    private void text(byte b) {
      out.write(b);
      if (escaped) {
        escaped = false;
      } else if (b == '\\') {
        escaped = true;
      } else if (b == '"') {
        inText = false;
      }
    }

    private void mark(byte b) {
      switch (b) {
        case ' ', '\t', '\n', '\r' -> {}
        case '{', '[' -> {
          breakIfOpened();
          out.write(b);
          depth++;
          opened = true;
        }
        case '}', ']' -> {
          depth--;
          if (!opened) {
            lineBreak();
          }
          opened = false;
          out.write(b);
        }
        case ',' -> {
          out.write(b);
          lineBreak();
        }
        case ':' -> {
          out.write(b);
          out.write(' ');
        }
        default -> {
          breakIfOpened();
          out.write(b);
          inText = b == '"';
        }
      }
    }

    /** What is empty stays on its line, so the break waits for the first thing inside. */
    private void breakIfOpened() {
      if (opened) {
        opened = false;
        lineBreak();
      }
    }

    private void lineBreak() {
      out.write('\n');
      for (int i = 0; i < depth; i++) {
        out.write(' ');
        out.write(' ');
      }
    }

    byte[] take() {
      byte[] bytes = out.toByteArray();
      out.reset();
      return bytes;
    }
  }
}

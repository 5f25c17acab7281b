package dev.evenkeel.prove.bench.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinesTest {

  /** Collects lines as text. */
  private static final class Collected extends Lines {
    final List<String> lines = new ArrayList<>();

    @Override
    void line(byte[] bytes, int from, int to) {
      lines.add(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }
  }

  @Test
  void newline_isFoundWhereverItIs() {
    for (int length = 0; length < 40; length++) {
      for (int at = 0; at < length; at++) {
        byte[] bytes = "\u000b".repeat(length).getBytes(StandardCharsets.US_ASCII);
        bytes[at] = '\n';
        for (int from = 0; from <= at; from++) {
          assertThat(Lines.newline(bytes, from, length)).isEqualTo(at);
        }
        assertThat(Lines.newline(bytes, at + 1, length)).isEqualTo(-1);
        assertThat(Lines.newline(bytes, 0, at)).isEqualTo(-1);
      }
    }
  }

  @Test
  void lines_areTheSameHoweverTheyAreCut() {
    var random = new SplittableRandom(3);
    for (int round = 0; round < 200; round++) {
      var expected = new ArrayList<String>();
      for (int i = 0; i < 20; i++) {
        expected.add("é".repeat(random.nextInt(60)) + i);
      }
      byte[] bytes = (String.join("\n", expected) + "\n").getBytes(StandardCharsets.UTF_8);
      var collected = new Collected();
      int piecesMax = 1 + random.nextInt(200);
      for (int from = 0; from < bytes.length; ) {
        int to = Math.min(bytes.length, from + 1 + random.nextInt(piecesMax));
        collected.feed(bytes, from, to);
        from = to;
      }
      assertThat(collected.lines).isEqualTo(expected);
      assertThat(collected.isCut()).isFalse();
    }
  }

  @Test
  void line_inPartsKeepsItsFirst8KiB() {
    var collected = new Collected();
    byte[] bytes = "x".repeat(1000).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 20; i++) {
      collected.feed(bytes, 0, 1000);
    }
    assertThat(collected.isCut()).isTrue();
    collected.feed("\nnext\n".getBytes(StandardCharsets.US_ASCII), 0, 6);
    assertThat(collected.lines).containsExactly("x".repeat(8192), "next");
  }
}

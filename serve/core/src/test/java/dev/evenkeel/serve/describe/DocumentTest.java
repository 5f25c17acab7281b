package dev.evenkeel.serve.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DocumentTest {

  @Test
  void chunks_areReadAsOneDocumentWithTheRightChecksum() {
    var random = new Random(1);
    var expected = new ByteArrayOutputStream();
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      byte[] noise = new byte[random.nextInt(3_000)];
      random.nextBytes(noise);
      byte[] text = "abc,".repeat(random.nextInt(50_000)).getBytes(StandardCharsets.US_ASCII);
      chunks.add(Chunk.of(noise));
      chunks.add(Chunk.of(List.of(text, noise), "--"));
      expected.writeBytes(noise);
      expected.writeBytes(text);
      if (text.length > 0) {
        expected.writeBytes("--".getBytes(StandardCharsets.US_ASCII));
      }
      expected.writeBytes(noise);
    }
    chunks.add(Chunk.of(List.of(), ","));
    // Reading fails if checksum or length are not those of the whole.
    assertThat(Document.of(chunks).bytes()).isEqualTo(expected.toByteArray());
    assertThat(Document.of(List.of()).bytes()).isEmpty();
  }

  @Test
  void hash_tellsDocumentsApart() {
    Chunk one = Chunk.of("one");
    Chunk two = Chunk.of("two");
    assertThat(Document.of(List.of(one, two)).hash())
        .isEqualTo(Document.of(List.of(Chunk.of("one"), Chunk.of("two"))).hash())
        .isNotEqualTo(Document.of(List.of(two, one)).hash())
        .isNotEqualTo(Document.of(List.of(one)).hash());
  }
}

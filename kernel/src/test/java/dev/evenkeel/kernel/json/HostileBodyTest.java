package dev.evenkeel.kernel.json;

import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bodies that are made to take long or to nest without end: each must be decoded or refused. They
 * take milliseconds; what does not come to an end in a minute never does.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileBodyTest {

  private static final int BYTES = 1 << 17;

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void decode_comesToAnEnd(String name, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    for (Json.Format format : Json.Format.values()) {
      try {
        var _ = Json.encode(Json.decode(bytes, format).tree());
      } catch (JsonException e) {
        // As good as an answer.
      }
    }
  }

  static Stream<Arguments> bodies() {
    Stream<String> repeated =
        Stream.of(
            "[", "{", "- ", "? ", "&a ", "*a ", "\"", "|", "%a\n", "---\n", "#", "\\", "a: ",
            "a:\n ", " ", "\n", "[],", "a: b\n", "[a: ", "\u00e4", "\ufeff", "<<: ", "x", "0");
    return Stream.concat(
        repeated.map(
            piece ->
                Arguments.of("repeated " + piece.strip(), piece.repeat(BYTES / piece.length()))),
        Stream.of(
            Arguments.of("one long list", "[" + "1e5,".repeat(BYTES / 4) + "1]"),
            Arguments.of("one long text", "\"" + "x".repeat(BYTES) + "\""),
            Arguments.of("one text of escapes", "\"" + "\\ud800".repeat(BYTES / 6) + "\""),
            Arguments.of(
                "one field again and again", "{" + "\"a\":1,".repeat(BYTES / 6) + "\"a\":1}"),
            Arguments.of("many fields", fields(index -> "k" + index)),
            Arguments.of("many fields of one hash", fields(HostileBodyTest::ofOneHash)),
            Arguments.of("one long name", "{\"" + "k".repeat(BYTES) + "\":1}"),
            Arguments.of("one key without end", "k".repeat(BYTES) + ": 1"),
            Arguments.of("many anchors", "- &a x\n".repeat(BYTES / 7)),
            Arguments.of("spaces between", "{\"a\":" + " ".repeat(BYTES) + "1}")));
  }

  private static String fields(IntFunction<String> name) {
    return IntStream.range(0, BYTES / 20)
        .mapToObj(index -> "\"" + name.apply(index) + "\":1")
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** Java hashes {@code Aa} and {@code BB} alike, and so everything made of them. */
  private static String ofOneHash(int index) {
    return IntStream.range(0, 16)
        .mapToObj(bit -> (index >> bit & 1) == 0 ? "Aa" : "BB")
        .collect(Collectors.joining());
  }
}

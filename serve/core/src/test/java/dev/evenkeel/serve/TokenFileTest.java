package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.caller.TokenDigest;
import dev.evenkeel.serve.token.TokenException;
import dev.evenkeel.serve.token.TokenFile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that never change, from a file. */
class TokenFileTest {

  @Test
  void file_isReadAsUpstreamReadsIt() throws TokenException {
    Map<TokenDigest, Caller> callers =
        TokenFile.parse(
            """
            t1,jane,u1,"dev,ops"

            "t,2","jo ""j"" doe",u2\r
            t3,max,u3,one,ignored
            ,nobody,u4
            t5,last,\
            """);
    assertThat(callers)
        .containsOnly(
            Map.entry(
                TokenDigest.of("t1"), new Caller("jane", List.of("dev", "ops"), "u1", Map.of())),
            Map.entry(TokenDigest.of("t,2"), new Caller("jo \"j\" doe", List.of(), "u2", Map.of())),
            Map.entry(TokenDigest.of("t3"), new Caller("max", List.of("one"), "u3", Map.of())),
            Map.entry(TokenDigest.of("t5"), new Caller("last", List.of(), "", Map.of())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "secret,jane",
        "secret",
        "a,b,c\nsecret,\"jane,u",
        "se\"cret,j,u",
        "\"secret\"x,j,u"
      })
  void fileThatCannotBeRead_isRefused_withoutAnyOfIt(String text) {
    assertThatThrownBy(() -> TokenFile.parse(text))
        .isInstanceOf(TokenException.class)
        .hasMessageContaining("line ")
        .hasMessageNotContaining("secret");
  }

  @Test
  void whoComesWithSuchAToken_isWhoTheFileSays() throws TokenException {
    Map<TokenDigest, Caller> callers = TokenFile.parse("t1,jane,u1,\"dev,ops\"");
    try (var world = new TokenWorld(ServerSettings.DEFAULTS.withCallers(callers))) {
      Client.Answer answer = world.whoami("t1");
      assertThat(answer.text("status", "userInfo"))
          .isEqualTo(
              "{\"username\":\"jane\",\"uid\":\"u1\",\"groups\":[\"dev\",\"ops\",\"system:authenticated\"]}");
      assertThat(world.whoami("t2").status()).isEqualTo(401);
      assertThat(world.whoami("T1").status()).isEqualTo(401);
    }
  }
}

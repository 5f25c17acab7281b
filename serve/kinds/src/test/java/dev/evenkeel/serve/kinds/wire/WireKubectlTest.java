package dev.evenkeel.serve.kinds.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.cases.Case;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** What kubectl sends is read as what it means. */
class WireKubectlTest {

  static List<Case> cases() {
    return Case.in("/wire/kubectl.yaml");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void decode_readsWhatKubectlSends(Case one) {
    byte[] body = Base64.getMimeDecoder().decode(Meta.text(one.content().path("wire")));
    ObjectNode tree = WireCodec.decode(body, Gvk.of("v1", "Pod"));
    assertThat(Differences.between(tree, one.object())).isEmpty();
  }
}

package dev.evenkeel.serve.kinds.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import io.kubernetes.client.proto.Runtime;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** The official Java client reads what we write, and we read what it writes. */
class WireOfficialTest {

  private static final int SAMPLES = 10;

  /** All but those of the aggregator, which the client leaves out. */
  static List<Gvk> kinds() {
    return Samples.kinds().stream()
        .filter(gvk -> !gvk.group().equals("apiregistration.k8s.io"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void encode_isReadByTheClient(Gvk gvk) throws InvalidProtocolBufferException {
    var samples = new Samples(2);
    for (int i = 0; i < SAMPLES; i++) {
      ObjectNode full = samples.full(gvk);
      Runtime.Unknown envelope = OfficialMessages.envelope(WireCodec.encode(full));
      assertThat(envelope.getTypeMeta().getApiVersion()).isEqualTo(gvk.apiVersion());
      assertThat(envelope.getTypeMeta().getKind()).isEqualTo(gvk.kind());
      Message message = OfficialMessages.parse(descriptor(gvk), envelope.getRaw().toByteArray());
      assertThat(Differences.between(named(gvk, OfficialMessages.tree(message)), full)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void decode_readsWhatTheClientWrote(Gvk gvk) throws InvalidProtocolBufferException {
    var samples = new Samples(3);
    for (int i = 0; i < SAMPLES; i++) {
      ObjectNode full = samples.full(gvk);
      Runtime.Unknown envelope = OfficialMessages.envelope(WireCodec.encode(full));
      Message message = OfficialMessages.parse(descriptor(gvk), envelope.getRaw().toByteArray());
      byte[] body = OfficialMessages.body(gvk.apiVersion(), gvk.kind(), message.toByteArray());
      assertThat(Differences.between(WireCodec.decode(body, gvk), full)).isEmpty();
    }
  }

  private static Descriptor descriptor(Gvk gvk) {
    Schema.Struct struct = Objects.requireNonNull(Catalog.type(gvk));
    return Objects.requireNonNull(OfficialMessages.descriptor(struct.name()), struct.name());
  }

  private static ObjectNode named(Gvk gvk, ObjectNode tree) {
    return tree.put("apiVersion", gvk.apiVersion()).put("kind", gvk.kind());
  }
}

package dev.evenkeel.store.etcd.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.WatchBatch.Commit;
import dev.evenkeel.store.etcd.client.Keyspace;
import io.etcd.jetcd.api.Event.EventType;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.WatchResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitAssemblerTest {

  private final CommitAssembler assembler = new CommitAssembler(new Keyspace("/p/"), 10);

  @Test
  void answerWithSeveralRevisions_isSeveralCommits() {
    assertThat(add(response(put("a", 11), put("b", 11), put("a", 13))))
        .containsExactly("11: a b", "13: a");
    assertThat(assembler.position()).isEqualTo(13);
  }

  @Test
  void fragments_areHeldUntilTheirTransactionIsWhole() {
    assertThat(add(fragment(put("a", 11), put("a", 12)))).containsExactly("11: a");
    assertThat(assembler.position()).isEqualTo(11);
    assertThat(add(fragment(put("c", 12)))).isEmpty();
    assertThat(add(response(put("b", 12), put("a", 13)))).containsExactly("12: a c b", "13: a");
  }

  @Test
  void whatIsNotNewer_isDropped() {
    assertThat(add(response(put("a", 9), put("a", 10), put("a", 11)))).containsExactly("11: a");
    assertThat(add(response(put("a", 11)))).isEmpty();
  }

  @Test
  void mark_movesThePositionAndIsNoCommit() {
    assertThat(add(response(put("", 12)))).isEmpty();
    assertThat(assembler.position()).isEqualTo(12);
    assertThat(add(response(put("", 13), put("a", 13)))).containsExactly("13: a");
  }

  @Test
  void noticeOfProgress_movesThePosition_answerToARequestDoesNot() {
    add(response().toBuilder().setHeader(header(20)).build());
    assertThat(assembler.position()).isEqualTo(20);
    add(response().toBuilder().setHeader(header(30)).setWatchId(-1).build());
    add(response().toBuilder().setHeader(header(30)).setCreated(true).build());
    add(response().toBuilder().setHeader(header(15)).build());
    assertThat(assembler.position()).isEqualTo(20);
  }

  @Test
  void headerOfAnAnswerWithEvents_saysNothingAboutThePosition() {
    add(response(put("a", 11)).toBuilder().setHeader(header(2000)).build());
    assertThat(assembler.position()).isEqualTo(11);
  }

  @Test
  void revisionThatGoesBack_isAnError() {
    assembler.add(fragment(put("a", 15)));
    assertThatIllegalStateException().isThrownBy(() -> assembler.add(response(put("a", 14))));
  }

  @Test
  void deleteAndPrevious_areCarriedOver() {
    var previous =
        KeyValue.newBuilder()
            .setKey(ByteString.copyFromUtf8("/p/a"))
            .setValue(ByteString.copyFromUtf8("1"))
            .setCreateRevision(3)
            .setModRevision(4)
            .setVersion(2);
    var event = put("a", 11).toBuilder().setType(EventType.DELETE).setPrevKv(previous).build();
    List<Commit> commits = assembler.add(response(event));
    assertThat(commits.getFirst().events())
        .containsExactly(
            new Event.Delete(
                dev.evenkeel.kernel.bytes.Bytes.utf8("a"),
                new dev.evenkeel.store.KeyValue(
                    dev.evenkeel.kernel.bytes.Bytes.utf8("a"),
                    dev.evenkeel.kernel.bytes.Bytes.utf8("1"),
                    3,
                    4,
                    2)));
  }

  private List<String> add(WatchResponse response) {
    return assembler.add(response).stream()
        .map(
            commit ->
                commit.revision()
                    + ": "
                    + String.join(
                        " ", commit.events().stream().map(event -> event.key().utf8()).toList()))
        .toList();
  }

  private static io.etcd.jetcd.api.Event put(String key, long revision) {
    return io.etcd.jetcd.api.Event.newBuilder()
        .setType(EventType.PUT)
        .setKv(
            KeyValue.newBuilder()
                .setKey(ByteString.copyFromUtf8("/p/" + key))
                .setModRevision(revision))
        .build();
  }

  private static WatchResponse response(io.etcd.jetcd.api.Event... events) {
    return WatchResponse.newBuilder().addAllEvents(List.of(events)).build();
  }

  private static WatchResponse fragment(io.etcd.jetcd.api.Event... events) {
    return response(events).toBuilder()
        .setUnknownFields(
            UnknownFieldSet.newBuilder()
                .addField(7, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build())
        .build();
  }

  private static ResponseHeader header(long revision) {
    return ResponseHeader.newBuilder().setRevision(revision).build();
  }
}

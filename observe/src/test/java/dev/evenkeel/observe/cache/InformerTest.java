package dev.evenkeel.observe.cache;

import static dev.evenkeel.observe.cache.ScriptedServer.bookmark;
import static dev.evenkeel.observe.cache.ScriptedServer.event;
import static dev.evenkeel.observe.cache.ScriptedServer.item;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.selector.FieldSelector;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.feed.FeedFigures;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.feed.FeedState;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.feed.SyncReason;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Trim;
import dev.evenkeel.observe.transport.Header;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** An informer step by step, against answers written out. */
final class InformerTest {

  private static final Kind<ObjectNode> THINGS = Kind.untyped("v1", "Thing", "things", true);

  private static final String STATE =
      "GET /api/v1/things?watch=true&allowWatchBookmarks=true&sendInitialEvents=true"
          + "&resourceVersionMatch=NotOlderThan";

  private final SimulatedEnv env = new SimulatedEnv(1);
  private final ScriptedServer server = new ScriptedServer();
  private final Informers informers = new Informers(env, server, FeedLimits.DEFAULTS);
  private final List<String> told = new ArrayList<>();

  private Informer<ObjectNode> follow() {
    Informer<ObjectNode> informer = informers.informer(THINGS);
    AutoCloseable listening = informer.listen(change -> told.add(text(change)));
    assertThat(listening).isNotNull();
    env.runDue();
    return informer;
  }

  private static String text(Change<ObjectNode> change) {
    Cached<ObjectNode> before = change.before();
    return change.getClass().getSimpleName()
        + " "
        + change.newest().name()
        + (before == null ? "" : " before " + before.version())
        + " at "
        + change.version()
        + (change.throughRelist() ? " through relist" : "");
  }

  private static String watchFrom(long version) {
    return "GET /api/v1/things?watch=true&allowWatchBookmarks=true&resourceVersion=" + version;
  }

  private static String error(FeedFigures figures) {
    return requireNonNull(figures.lastError()).message();
  }

  @Test
  void aStream_isTheStateAndThenTheChanges() {
    ScriptedServer.Body body =
        server.stream(event("ADDED", item("b", 3, "")), event("ADDED", item("a", 2, "")));
    Informer<ObjectNode> informer = follow();
    assertThat(server.requests).containsExactly(STATE);
    assertThat(informer.snapshot().isSynced()).as("half a state is not shown").isFalse();
    assertThat(informer.figures().feed().state()).isEqualTo(FeedState.SYNCING);
    body.send(bookmark(9, true));
    env.runDue();
    assertThat(informer.snapshot()).hasToString("2 objects at version 9");
    assertThat(informer.figures().feed().state()).isEqualTo(FeedState.LIVE);
    body.send(event("MODIFIED", item("a", 10, "")) + event("DELETED", item("b", 11, "")));
    body.send(bookmark(20, false));
    env.runDue();
    assertThat(told)
        .containsExactly(
            "Added a at 9",
            "Added b at 9",
            "Modified a before 2 at 10",
            "Deleted b before 11 at 11");
    assertThat(informer.snapshot().version()).isEqualTo(20);
    body.end();
    env.runDue();
    assertThat(server.requests).containsExactly(STATE, watchFrom(20));
  }

  @Test
  void aServerThatRefusesTheStream_isAskedForListsInPages() {
    server.whole(422, "{\"kind\":\"Status\",\"code\":422,\"reason\":\"Invalid\"}");
    server.whole(
        200,
        "{\"items\":["
            + item("a", 1, "")
            + "],\"metadata\":{\"resourceVersion\":\"5\",\"continue\":\"t/1\"}}");
    server.whole(410, "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}");
    server.whole(
        200, "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[" + item("b", 6, "") + "]}");
    Informer<ObjectNode> informer = follow();
    assertThat(server.requests)
        .containsExactly(
            STATE,
            "GET /api/v1/things?limit=500",
            "GET /api/v1/things?limit=500&continue=t%2F1",
            "GET /api/v1/things",
            watchFrom(7));
    assertThat(told).containsExactly("Added b at 7");
    assertThat(informer.figures().feed().streaming()).isFalse();
  }

  @Test
  void whatWasDeletedUnseen_isToldThroughTheRelistWithItsLastKnownState() {
    ScriptedServer.Body body =
        server.stream(
            event("ADDED", item("a", 1, "")),
            event("ADDED", item("b", 2, "")),
            event("ADDED", item("c", 3, "")),
            bookmark(5, true));
    Informer<ObjectNode> informer = follow();
    Cached<ObjectNode> kept = requireNonNull(informer.snapshot().find("n", "c"));
    server.stream(
        event("ADDED", item("b", 8, "")),
        event("ADDED", item("c", 3, "")),
        event("ADDED", item("d", 9, "")),
        bookmark(9, true));
    told.clear();
    body.send(
        event(
            "ERROR",
            "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\",\"message\":\"too old\"}"));
    env.runDue();
    assertThat(told)
        .containsExactly(
            "Deleted a before 1 at 9 through relist",
            "Modified b before 2 at 9 through relist",
            "Added d at 9 through relist");
    assertThat(informer.snapshot().find("n", "c")).as("unchanged, held once").isSameAs(kept);
    assertThat(informer.figures().feed().syncs())
        .isEqualTo(Map.of(SyncReason.FIRST, 1L, SyncReason.EXPIRED, 1L));
    assertThat(body.closed).isTrue();
  }

  @Test
  void anOlderState_isRefused() {
    ScriptedServer.Body body = server.stream(event("ADDED", item("a", 4, "")), bookmark(9, true));
    Informer<ObjectNode> informer = follow();
    server.whole(410, "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}");
    server.stream(bookmark(8, true));
    body.end();
    env.runDue();
    assertThat(informer.snapshot()).hasToString("1 objects at version 9");
    assertThat(informer.figures().feed().state()).isEqualTo(FeedState.BROKEN);
    assertThat(error(informer.figures().feed()))
        .isEqualTo("the server's state is of version 8, older than 9, which was seen already");
  }

  @Test
  void aVersionThatDoesNotCome_hasTheWatchReplacedInSeconds_andThenTheStateRead() {
    ScriptedServer.Body first = server.stream(bookmark(5, true));
    Informer<ObjectNode> informer = follow();
    var reached = informer.awaitVersion(8);
    env.runFor(Duration.ofMillis(1_900));
    assertThat(server.requests).containsExactly(STATE);
    ScriptedServer.Body second = server.stream();
    server.whole(200, "{\"metadata\":{\"resourceVersion\":\"8\"},\"items\":[]}");
    env.runFor(Duration.ofMillis(200));
    assertThat(first.closed).isTrue();
    assertThat(server.requests).containsExactly(STATE, watchFrom(5), "GET /api/v1/things?limit=1");
    second.send(event("ADDED", item("a", 6, "")));
    env.runFor(Duration.ofSeconds(4));
    assertThat(reached).isNotDone();
    server.whole(
        200, "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + item("a", 8, "") + "]}");
    env.runFor(Duration.ofSeconds(2));
    assertThat(server.requests.subList(3, server.requests.size()))
        .containsExactly("GET /api/v1/things?limit=500", watchFrom(9));
    assertThat(server.renewals).isEqualTo(1);
    assertThat(reached).isCompletedWithValue(9L);
    assertThat(informer.figures().feed().syncs()).containsEntry(SyncReason.BEHIND, 1L);
    assertThat(informer.figures().feed().behind()).isEqualTo(2);
    assertThat(told).containsExactly("Added a at 6", "Modified a before 6 at 9 through relist");
  }

  @Test
  void aVersionThatIsToBeReachedAtOnce_isSaidWhenAShortWatchEnds() {
    server.stream(bookmark(5, true));
    Informer<ObjectNode> informer = follow();
    ScriptedServer.Body brief = server.stream();
    var reached = informer.reach(7);
    env.runDue();
    assertThat(server.requests).containsExactly(STATE, watchFrom(5), "GET /api/v1/things?limit=1");
    brief.send(bookmark(7, false));
    brief.end();
    env.runDue();
    assertThat(reached).isCompletedWithValue(7L);
    env.runFor(Duration.ofMinutes(1));
    assertThat(informer.figures().feed().behind()).isEqualTo(1);
    assertThat(informer.figures().feed().syncs()).containsOnlyKeys(SyncReason.FIRST);
  }

  @Test
  void aWatchThatSaysNothingWhileOthersDo_isOpenedAnew() {
    server.stream(bookmark(5, true));
    Informer<ObjectNode> informer = follow();
    env.runFor(Duration.ofMinutes(1));
    assertThat(server.requests).as("nobody is further").containsExactly(STATE);
    server.stream(bookmark(30, true));
    informers.informer(Kind.untyped("v1", "Other", "others", true));
    ScriptedServer.Body second = server.stream(event("ADDED", item("missed", 20, "")));
    env.runFor(Duration.ofSeconds(10));
    assertThat(server.requests).last().isEqualTo(watchFrom(5));
    assertThat(informer.snapshot().version()).isEqualTo(20);
    second.send(bookmark(30, false));
    env.runFor(Duration.ofMinutes(1));
    assertThat(server.requests).as("nobody is further").hasSize(3);
  }

  @Test
  void aSilentWatch_isReplacedOverANewConnection() {
    ScriptedServer.Body body = server.stream(bookmark(5, true));
    Informer<ObjectNode> informer = follow();
    env.runFor(Duration.ofMinutes(2));
    body.send(bookmark(6, false));
    env.runFor(Duration.ofMinutes(2));
    assertThat(informer.figures().feed().stuck()).isZero();
    assertThat(informer.figures().feed().quiet()).isEqualTo(Duration.ofMinutes(2));
    env.runFor(Duration.ofSeconds(61));
    assertThat(server.requests).containsExactly(STATE, watchFrom(6));
    assertThat(server.renewals).isEqualTo(1);
    assertThat(body.closed).isTrue();
    assertThat(informer.figures().feed().stuck()).isEqualTo(1);
    assertThat(error(informer.figures().feed())).contains("nothing came for 180 seconds");
    env.runFor(Duration.ofSeconds(62));
    assertThat(server.requests).as("an answer that never begins").hasSize(3);
  }

  @Test
  void whatTheServerAsksFor_isWaited() {
    server.whole(
        429,
        "{\"kind\":\"Status\",\"code\":429,\"message\":\"busy\"}",
        new Header("Retry-After", "40"));
    Informer<ObjectNode> informer = follow();
    env.runFor(Duration.ofSeconds(39));
    assertThat(server.requests).hasSize(1);
    assertThat(informer.figures().feed().state()).isEqualTo(FeedState.BROKEN);
    assertThat(error(informer.figures().feed())).isEqualTo("the server answered 429: busy");
    env.runFor(Duration.ofSeconds(1));
    assertThat(server.requests).hasSize(2);
  }

  @Test
  void failuresInARow_areAnsweredByLongerWaitsUpToALimit() {
    for (int i = 0; i < 40; i++) {
      server.whole(503, "no");
    }
    Informer<ObjectNode> informer = follow();
    env.runFor(Duration.ofSeconds(5));
    assertThat(server.requests.size()).isBetween(4, 6);
    env.runFor(Duration.ofMinutes(10));
    assertThat(server.requests.size()).isBetween(24, 46);
    assertThat(informer.figures().feed().failures()).isEqualTo(server.requests.size());
  }

  @Test
  void whatCannotBeRead_isToldAndTheStateReadAgain() {
    for (String bad :
        List.of(
            "{\"type\":\"NEWS\",\"object\":{}}\n",
            "{\"type\":\"ADDED\"}\n",
            event("ADDED", "{\"metadata\":{}}"),
            event("MODIFIED", item("a", 3, "")),
            "nonsense\n")) {
      ScriptedServer.Body body = server.stream(event("ADDED", item("a", 2, "")), bookmark(5, true));
      Informer<ObjectNode> informer = follow();
      body.send(bad);
      env.runDue();
      assertThat(informer.figures().feed().syncs()).as(bad).containsEntry(SyncReason.DAMAGED, 1L);
      assertThat(error(informer.figures().feed())).contains("cannot be used");
      server.stream(event("ADDED", item("a", 6, "")), bookmark(7, true));
      env.runFor(Duration.ofSeconds(1));
      assertThat(informer.snapshot().version()).isEqualTo(7);
      informers.drop(informer);
      env.runDue();
    }
  }

  @Test
  void anEventThatNeverEnds_isGivenUp() {
    var small =
        new FeedLimits(
            Duration.ofMinutes(3),
            Duration.ofSeconds(20),
            Duration.ofSeconds(2),
            Duration.ofSeconds(60),
            Duration.ofMinutes(5),
            Duration.ofMillis(500),
            Duration.ofSeconds(30),
            500,
            200_000,
            1_000);
    var limited = new Informers(env, server, small);
    ScriptedServer.Body body = server.stream(bookmark(5, true));
    Informer<ObjectNode> informer = limited.informer(THINGS);
    env.runDue();
    for (int i = 0; i < 5; i++) {
      body.send("x".repeat(50_000));
    }
    env.runDue();
    assertThat(error(informer.figures().feed())).contains("an event is longer than 200000 bytes");
    limited.close();
  }

  @Test
  void aLateListener_isFirstToldWhatIsThere() {
    server.stream(event("ADDED", item("a", 2, "")), bookmark(5, true));
    Informer<ObjectNode> informer = informers.informer(THINGS);
    env.runDue();
    assertThat(follow()).isSameAs(informer);
    assertThat(told).containsExactly("Added a at 5");
  }

  @Test
  void aListenerThatFails_isCountedAndOthersAreTold() {
    ScriptedServer.Body body = server.stream(bookmark(5, true));
    Informer<ObjectNode> informer = informers.informer(THINGS);
    AutoCloseable failing =
        informer.listen(
            _ -> {
              throw new IllegalStateException("on purpose");
            });
    assertThat(failing).isNotNull();
    follow();
    body.send(event("ADDED", item("a", 6, "")));
    env.runDue();
    assertThat(told).containsExactly("Added a at 6");
    assertThat(informer.figures().listenerFailures()).isEqualTo(1);
  }

  @Test
  void aListenerThatWasEnded_isToldNoMore() {
    ScriptedServer.Body body = server.stream(bookmark(5, true));
    Informer<ObjectNode> informer = informers.informer(THINGS);
    Informer.Listening listening = informer.listen(change -> told.add(text(change)));
    env.runDue();
    body.send(event("ADDED", item("a", 6, "")));
    env.runDue();
    listening.close();
    env.runDue();
    body.send(event("ADDED", item("b", 7, "")));
    env.runDue();
    assertThat(told).containsExactly("Added a at 6");
    assertThat(informer.snapshot().size()).isEqualTo(2);
  }

  @Test
  void awaitVersion_waitsForTheVersionAndEndsWithTheInformer() {
    ScriptedServer.Body body = server.stream(bookmark(5, true));
    Informer<ObjectNode> informer = follow();
    CompletableFuture<Long> known = informer.awaitVersion(5);
    CompletableFuture<Long> next = informer.awaitVersion(6);
    CompletableFuture<Long> far = informer.awaitVersion(100);
    env.runDue();
    assertThat(known).isCompletedWithValue(5L);
    assertThat(next).isNotDone();
    body.send(event("ADDED", item("a", 8, "")));
    env.runDue();
    assertThat(next).isCompletedWithValue(8L);
    informers.close();
    assertThat(far).isCompletedExceptionally();
    assertThatThrownBy(() -> informer.awaitVersion(200).join()).hasMessageContaining("is closed");
    assertThat(informer.figures().feed().state()).isEqualTo(FeedState.CLOSED);
    assertThat(body.closed).isTrue();
  }

  @Test
  void tooManyWhoWait_areRefused() {
    server.stream(bookmark(5, true));
    Informer<ObjectNode> informer = follow();
    for (int i = 0; i < Informer.WAITERS_MAX; i++) {
      var _ = informer.awaitVersion(6);
    }
    CompletableFuture<Long> more = informer.awaitVersion(6);
    env.runDue();
    assertThatThrownBy(more::join).hasMessageContaining("wait for fewer");
  }

  @Test
  void indexes_findWithAndWithoutBeingKept() {
    String labels =
        ",\"labels\":{\"topology.kubernetes.io/zone\":\"z1\",\"evenkeel.dev/policy-version\":\"7\"}"
            + ",\"ownerReferences\":[{\"uid\":\"u1\"},{\"uid\":\"u2\"}]";
    String pod =
        item("a", 2, labels).replaceAll("}$", ",\"spec\":{\"nodeName\":\"n1\",\"priority\":5}}");
    ScriptedServer.Body body =
        server.stream(event("ADDED", pod), event("ADDED", item("b", 3, "")), bookmark(5, true));
    Informer<ObjectNode> informer = follow();
    for (int round = 0; round < 2; round++) {
      Snapshot<ObjectNode> now = informer.snapshot();
      assertThat(now.by(Indexes.node(), "n1")).extracting(Cached::name).containsExactly("a");
      assertThat(now.by(Indexes.zone(), "z1")).extracting(Cached::name).containsExactly("a");
      assertThat(now.by(Indexes.owner(), "u2")).extracting(Cached::name).containsExactly("a");
      assertThat(now.by(Indexes.priority(), "5")).extracting(Cached::name).containsExactly("a");
      assertThat(now.by(Indexes.policyVersion(), "7"))
          .extracting(Cached::name)
          .containsExactly("a");
      assertThat(now.by(Indexes.node(), "n2")).isEmpty();
      List.<Index<ObjectNode>>of(
              Indexes.node(),
              Indexes.zone(),
              Indexes.owner(),
              Indexes.priority(),
              Indexes.policyVersion())
          .forEach(informer::index);
      env.runDue();
    }
    assertThat(informer.snapshot().indexNames())
        .containsExactly("node", "owner", "policy-version", "priority", "zone");
    Snapshot<ObjectNode> before = informer.snapshot();
    body.send(event("MODIFIED", pod.replace("n1", "n2").replace("\"2\"", "\"6\"")));
    body.send(event("DELETED", item("b", 7, "")));
    env.runDue();
    assertThat(informer.snapshot().by(Indexes.node(), "n1")).isEmpty();
    assertThat(informer.snapshot().by(Indexes.node(), "n2")).hasSize(1);
    assertThat(before.by(Indexes.node(), "n1")).as("an older snapshot stays").hasSize(1);
  }

  @Test
  void scopesAndTrims_areInformersOfTheirOwn() {
    Scope scope =
        Scope.namespace("n")
            .withLabels(LabelSelector.parse("a=b,c"))
            .withFields(FieldSelector.parse("spec.nodeName=x"));
    Informer<ObjectNode> one = informers.informer(THINGS, scope);
    assertThat(informers.informer(THINGS, scope)).isSameAs(one);
    assertThat(informers.informer(THINGS, scope, Trim.NONE)).isNotSameAs(one);
    assertThat(informers.informer(THINGS)).isNotSameAs(one);
    env.runDue();
    assertThat(server.requests.getFirst())
        .startsWith(
            "GET /api/v1/namespaces/n/things?labelSelector=a%3Db%2Cc"
                + "&fieldSelector=spec.nodeName%3Dx&watch=true");
    assertThat(informers.figures()).hasSize(3);
    assertThat(informers.figures().getFirst().scope())
        .isEqualTo("namespace n where a=b,c with spec.nodeName=x");
  }
}

package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.plugin.Bind;
import dev.evenkeel.decide.schedule.plugin.ClusterView;
import dev.evenkeel.decide.schedule.plugin.Permit.Answer;
import dev.evenkeel.decide.schedule.plugin.PluginRefusal;
import dev.evenkeel.decide.schedule.plugin.PreFilter;
import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.prove.schedule.GivenPlugins.Binding;
import dev.evenkeel.prove.schedule.GivenPlugins.Permitting;
import dev.evenkeel.prove.schedule.GivenPlugins.Reserving;
import dev.evenkeel.prove.schedule.GivenPlugins.Sorting;
import dev.evenkeel.prove.schedule.GivenPlugins.Throwing;
import dev.evenkeel.prove.schedule.SchedulingWorld.SchedulerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What users' plugins are asked on a pod's way to its node, and what becomes of what they say. */
class PluginScenario {

  private static final String WAITS =
      "Permit plugin \"permits\" has it wait with node \"n\", for at most 60 s";
  private static final Answer NOT_TODAY =
      new Answer.No(GivenPlugins.refusal("not today", WakeOn.NODE_LABELS));

  private final SchedulingWorld world = new SchedulingWorld(17);
  private final List<String> notes = new ArrayList<>();

  @BeforeEach
  void oneNode() {
    world.node("n", "zone-a", "\"cpu\":\"2\",\"pods\":\"10\"");
  }

  @AfterEach
  void close() {
    world.checkThatNothingIsOvercommitted();
    world.close();
  }

  private SchedulerProcess run(SchedulerPlugin... plugins) {
    SchedulerProcess process =
        world.new SchedulerProcess(Profile.DEFAULT.withPlugins(List.of(plugins)));
    seconds(1);
    return process;
  }

  private void seconds(double seconds) {
    world.env.runFor(Duration.ofMillis((long) (seconds * 1000)));
  }

  private String condition(String pod) {
    return world.pod(pod).path("status").path("conditions").toString();
  }

  /** What the pod says of its node: the condition's status, reason and message. */
  private String scheduled(String pod) {
    for (JsonNode each : world.pod(pod).path("status").path("conditions")) {
      if (Meta.text(each.path("type")).equals("PodScheduled")) {
        return Meta.text(each.path("status"))
            + " "
            + Meta.text(each.path("reason"))
            + ": "
            + Meta.text(each.path("message"));
      }
    }
    return "";
  }

  private static int waitingFor(SchedulerProcess process, String segment) {
    return process.scheduler.waiting().getOrDefault(segment, 0);
  }

  // ---- queue sort

  @Test
  void queueSort_saysWhoIsNext() {
    for (String name : List.of("a", "c", "b")) {
      world.pod(name, "", "\"cpu\":\"1\"");
    }
    // The last of the alphabet first; there is room for two.
    SchedulerProcess process = run(new Sorting("z-first", (a, b) -> b.name().compareTo(a.name())));
    seconds(3);
    assertThat(process.scheduler.placed()).isEqualTo(2);
    assertThat(world.nodeOf("a")).isEmpty();
  }

  @Test
  void queueSort_thatContradictsItselfOrThrows_losesNoPod() {
    var calls = new int[1];
    run(
        new Sorting(
            "mad",
            (_, _) -> {
              if (++calls[0] % 3 == 0) {
                throw new IllegalStateException("no idea");
              }
              return 1;
            }));
    for (int i = 0; i < 10; i++) {
      world.pod("p" + i, "", "\"cpu\":\"100m\"");
    }
    seconds(20);
    for (int i = 0; i < 10; i++) {
      assertThat(world.nodeOf("p" + i)).isEqualTo("n");
    }
  }

  @Test
  void twoQueueSorts_areAnErrorAtTheStart() {
    Profile two =
        Profile.DEFAULT.withPlugins(
            List.of(new Sorting("one", (_, _) -> 0), new Sorting("two", (_, _) -> 0)));
    assertThatThrownBy(() -> world.new SchedulerProcess(two))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the plugins \"one\" and \"two\" both sort the queue, which all profiles share: leave"
                + " one out");
  }

  // ---- reserve

  @Test
  void reserve_isAskedInOrder_andTakenBackInReverse_whereOneRefuses() {
    SchedulerProcess process =
        run(
            new Reserving("first", notes, _ -> null),
            new Reserving(
                "second", notes, _ -> GivenPlugins.refusal("no disk is left", WakeOn.NODE_LABELS)),
            new Reserving("third", notes, _ -> null));
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(30);
    assertThat(notes).containsExactly("first +p@n", "second +p@n", "second -p@n", "first -p@n");
    String message = "Reserve plugin \"second\" refused node \"n\": no disk is left";
    Decision decision = process.about("p").getLast();
    assertThat(decision.outcome()).isEqualTo(new Outcome(Outcome.Kind.WAITING, message));
    assertThat(Objects.requireNonNull(decision.evaluation()).rejections())
        .contains(new Decision.Rejection("second", "no disk is left", 1, List.of("n")));
    assertThat(decision.actions()).extracting(Decision.ActionRecord::verb).contains("reserve");
    assertThat(condition("p")).contains("Unschedulable", "no disk is left");
    // The node is free for another, whom it does not concern; and what it said can help wakes it.
    notes.clear();
    var _ =
        world.now(
            world.user.patch(
                SchedulingWorld.NODES,
                "",
                "n",
                PatchType.MERGE,
                Bytes.utf8("{\"metadata\":{\"labels\":{\"disk\":\"2\"}}}"),
                new Query()));
    seconds(30);
    assertThat(notes).hasSize(4);
  }

  @Test
  void refusedPods_doNotWakeEachOther() {
    run(
        new Reserving(
            "never", notes, _ -> GivenPlugins.refusal("there is none", WakeOn.POD_REMOVED)));
    world.pod("p", "", "\"cpu\":\"1\"");
    world.pod("q", "", "\"cpu\":\"1\"");
    seconds(60);
    assertThat(notes).hasSize(4);
  }

  @Test
  void reservedNode_isTheOnlyOneThatTheServerIsOffered() {
    world.node("other", "zone-a", "\"cpu\":\"1\",\"pods\":\"10\"");
    SchedulerProcess process = run(new Reserving("r", notes, _ -> null));
    process.network.lag = Duration.ofSeconds(5);
    world.pod("p", "", "\"cpu\":\"1\"");
    // Its node is full before the scheduler sees it: the server must not take the other one.
    world.pod("taker", "\"schedulerName\":\"somebody\",", "\"cpu\":\"1500m\"");
    assertThat(world.bind("taker", "n")).isEmpty();
    seconds(40);
    assertThat(world.nodeOf("p")).isEqualTo("other");
    assertThat(notes).containsExactly("r +p@n", "r -p@n", "r +p@other");
  }

  @Test
  void podThatIsBoundInTheEnd_keepsWhatWasSetAside() {
    run(new Reserving("r", notes, _ -> null));
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(2);
    assertThat(world.nodeOf("p")).isEqualTo("n");
    assertThat(notes).containsExactly("r +p@n");
  }

  // ---- permit

  @Test
  void permit_hasThePodWait_withItsNode_untilItMayGo() {
    var permits = Permitting.waiting(Duration.ofMinutes(1));
    SchedulerProcess process = run(new Reserving("r", notes, _ -> null), permits);
    world.pod("p", "", "\"cpu\":\"2\"");
    seconds(5);
    assertThat(world.nodeOf("p")).isEmpty();
    assertThat(waitingFor(process, "permit")).isEqualTo(1);
    assertThat(waitingFor(process, "binding")).isZero();
    assertThat(permits.asked).hasSizeGreaterThan(4);
    assertThat(process.about("p").getLast().outcome().detail()).isEqualTo(WAITS);
    assertThat(scheduled("p")).isEqualTo("False WaitingForPermit: " + WAITS);
    assertThat(world.events()).containsOnlyOnce(WAITS);
    // The room is its own while it waits.
    world.pod("q", "", "\"cpu\":\"1\"");
    seconds(5);
    assertThat(condition("q")).contains("Insufficient cpu");
    permits.answer = _ -> new Answer.Go();
    seconds(2);
    assertThat(world.nodeOf("p")).isEqualTo("n");
    assertThat(waitingFor(process, "permit")).isZero();
    assertThat(notes).containsExactly("r +p@n");
    assertThat(process.about("p").getLast().outcome().kind()).isEqualTo(Outcome.Kind.ACTED);
    assertThat(scheduled("p")).isEqualTo("True : ");
  }

  @Test
  void bindingThatOvertakesWhatIsWrittenOfTheWaiting_isNotWrittenOver() {
    var permits = Permitting.waiting(Duration.ofMinutes(1));
    SchedulerProcess process = run(permits);
    process.network.patchLag = Duration.ofSeconds(3);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(1);
    permits.answer = _ -> new Answer.Go();
    seconds(10);
    assertThat(world.nodeOf("p")).isEqualTo("n");
    assertThat(scheduled("p")).isEqualTo("True : ");
  }

  @Test
  void podThatChangesBeforeItIsWrittenThatItWaits_saysSoAllTheSame() {
    SchedulerProcess process = run(Permitting.waiting(Duration.ofMinutes(1)));
    process.network.patchLag = Duration.ofSeconds(1);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(0.1);
    var _ =
        world.now(
            world.user.patch(
                SchedulingWorld.PODS,
                "default",
                "p",
                PatchType.MERGE,
                Bytes.utf8("{\"metadata\":{\"annotations\":{\"x\":\"y\"}}}"),
                new Query()));
    seconds(10);
    assertThat(scheduled("p")).isEqualTo("False WaitingForPermit: " + WAITS);
  }

  @Test
  void permit_thatHasAPodWaitAgain_andRefusesItAgain_isWhatThePodSaysAtLast() {
    var permits = new Permitting(_ -> NOT_TODAY);
    SchedulerProcess process = run(permits);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(5);
    String refused = "False Unschedulable: Permit plugin \"permits\" refused node \"n\": not today";
    assertThat(scheduled("p")).isEqualTo(refused);
    // It is told something else and then the same again, before it shows the first.
    process.network.lag = Duration.ofSeconds(2);
    var asked = new int[1];
    permits.answer = _ -> asked[0]++ == 0 ? new Answer.Wait(Duration.ofMinutes(1)) : NOT_TODAY;
    var _ =
        world.now(
            world.user.patch(
                SchedulingWorld.NODES,
                "",
                "n",
                PatchType.MERGE,
                Bytes.utf8("{\"metadata\":{\"labels\":{\"day\":\"2\"}}}"),
                new Query()));
    seconds(20);
    assertThat(asked[0]).isEqualTo(2);
    assertThat(scheduled("p")).isEqualTo(refused);
  }

  @Test
  void permit_isAskedAgainAtOnce_whenAPodChanges() {
    var permits = Permitting.waiting(Duration.ofMinutes(1));
    run(permits);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(0.1);
    int asked = permits.asked.size();
    permits.answer = pod -> new Answer.Go();
    world.pod("elsewhere", "\"schedulerName\":\"somebody\",", "\"cpu\":\"1\"");
    seconds(0.1);
    assertThat(permits.asked).hasSizeGreaterThan(asked);
    assertThat(world.nodeOf("p")).isEqualTo("n");
  }

  @Test
  void permit_whoseTimeIsOver_freesTheNode_andThePodSaysWhy() {
    var permits =
        new Permitting(
            pod ->
                pod.name().equals("p") ? new Answer.Wait(Duration.ofSeconds(10)) : new Answer.Go());
    SchedulerProcess process = run(new Reserving("r", notes, _ -> null), permits);
    world.pod("p", "", "\"cpu\":\"2\"");
    seconds(2);
    world.pod("q", "", "\"cpu\":\"1\"");
    seconds(7);
    assertThat(world.nodeOf("q")).isEmpty();
    seconds(5);
    // Nothing but the end of the waiting freed the room, and who needed it was woken by that.
    assertThat(world.nodeOf("q")).isEqualTo("n");
    assertThat(notes).startsWith("r +p@n", "r -p@n", "r +q@n");
    assertThat(process.about("p").stream().map(it -> it.outcome().detail()))
        .contains(
            "Permit plugin \"permits\" had it wait with node \"n\": it was not let go within 10 s");
    assertThat(world.nodeOf("p")).isEmpty();
    assertThat(condition("p")).contains("PodScheduled").doesNotContain("WaitingForPermit");
  }

  @Test
  void permit_thatRefuses_makesThePodUnschedulable() {
    run(
        new Reserving("r", notes, _ -> null),
        new Permitting(_ -> new Answer.No(GivenPlugins.refusal("not today"))));
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(20);
    assertThat(notes).containsExactly("r +p@n", "r -p@n");
    assertThat(condition("p"))
        .contains(
            "Unschedulable", "Permit plugin \\\"permits\\\" refused node \\\"n\\\": not today");
  }

  @Test
  void podThatIsDeletedWhileItWaits_leavesNothingBehind() {
    SchedulerProcess process =
        run(new Reserving("r", notes, _ -> null), Permitting.waiting(Duration.ofMinutes(10)));
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(2);
    world.delete("p");
    seconds(2);
    assertThat(notes).containsExactly("r +p@n", "r -p@n");
    assertThat(waitingFor(process, "permit")).isZero();
    assertThat(process.about("p").getLast().outcome().kind()).isEqualTo(Outcome.Kind.GONE);
  }

  @Test
  void podThatSomebodyBindsWhileItWaits_leavesNothingBehind() {
    world.node("other", "zone-a", "\"cpu\":\"1\",\"pods\":\"10\"");
    SchedulerProcess process =
        run(new Reserving("r", notes, _ -> null), Permitting.waiting(Duration.ofMinutes(10)));
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(2);
    assertThat(world.bind("p", "other")).isEmpty();
    seconds(2);
    assertThat(notes).containsExactly("r +p@n", "r -p@n");
    assertThat(waitingFor(process, "permit")).isZero();
  }

  /** Leads in a term that somebody may end. */
  private static final class Led implements Leadership {
    @Nullable Term term = new Term("", 1, "me", 0);
    private Runnable changed = () -> {};

    void change(@Nullable Term next) {
      term = next;
      changed.run();
    }

    @Override
    public @Nullable Term term() {
      return term;
    }

    @Override
    public void listen(Runnable listener) {
      changed = listener;
    }

    @Override
    public void doubt(Term doubted) {}
  }

  @Test
  void schedulerThatLosesItsTerm_takesBackWhatWaits_andBeginsAnewInTheNext() {
    var led = new Led();
    var permits = Permitting.waiting(Duration.ofMinutes(10));
    SchedulerProcess process =
        world
        .new SchedulerProcess(
            led,
            Profile.DEFAULT.withPlugins(List.of(new Reserving("r", notes, _ -> null), permits)));
    seconds(1);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(2);
    assertThat(notes).containsExactly("r +p@n");
    led.change(null);
    seconds(5);
    assertThat(notes).containsExactly("r +p@n", "r -p@n");
    assertThat(waitingFor(process, "permit")).isZero();
    permits.answer = _ -> new Answer.Go();
    led.change(new Term("", 2, "me", 0));
    seconds(2);
    assertThat(notes).containsExactly("r +p@n", "r -p@n", "r +p@n");
    assertThat(world.nodeOf("p")).isEqualTo("n");
  }

  @Test
  void schedulerThatStops_takesBackWhatWaits() {
    SchedulerProcess process =
        run(new Reserving("r", notes, _ -> null), Permitting.waiting(Duration.ofMinutes(10)));
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(2);
    process.kill();
    assertThat(notes).containsExactly("r +p@n", "r -p@n");
  }

  @Test
  void nodeThatGoesWhileAPodWaitsForIt_isNotBoundTo() {
    var permits = Permitting.waiting(Duration.ofMinutes(10));
    run(permits);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(2);
    permits.answer = _ -> new Answer.Go();
    var _ =
        world.now(world.user.delete(SchedulingWorld.NODES, "", "n", SchedulingWorld.json("{}")));
    seconds(5);
    assertThat(world.nodeOf("p")).isEmpty();
    world.node("n2", "zone-a", "\"cpu\":\"2\",\"pods\":\"10\"");
    seconds(15);
    assertThat(world.nodeOf("p")).isEqualTo("n2");
  }

  @Test
  void manyPodsMayWait_andOthersAreBoundMeanwhile() {
    for (int i = 0; i < 3; i++) {
      world.node("big" + i, "zone-a", "\"cpu\":\"1000\",\"pods\":\"200\"");
    }
    var permits =
        new Permitting(
            pod ->
                pod.name().startsWith("w")
                    ? new Answer.Wait(Duration.ofMinutes(10))
                    : new Answer.Go());
    SchedulerProcess process = run(permits);
    // More than there may be bindings on their way.
    for (int i = 0; i < 300; i++) {
      world.pod("w" + i, "", "\"cpu\":\"1m\"");
    }
    world.pod("p", "", "\"cpu\":\"1m\"");
    seconds(2);
    assertThat(waitingFor(process, "permit")).isEqualTo(300);
    assertThat(world.nodeOf("p")).isNotEmpty();
    var mostBinding = new int[1];
    permits.answer =
        _ -> {
          mostBinding[0] = Math.max(mostBinding[0], waitingFor(process, "binding"));
          return new Answer.Go();
        };
    seconds(5);
    assertThat(waitingFor(process, "permit")).isZero();
    assertThat(process.scheduler.placed()).isEqualTo(301);
    // All may go at once, and still no more go at a time than may be on their way.
    assertThat(mostBinding[0]).isBetween(100, 256);
  }

  // ---- bind

  @Test
  void bind_thatIsNotItsOwn_isLeftToTheNext_andAtLastToTheServer() {
    List<String> asked = new ArrayList<>();
    Binding first =
        new Binding(
            "first",
            (pod, _) -> {
              asked.add("first " + pod.name());
              return new Bind.Outcome.NotMine();
            });
    Binding second =
        new Binding(
            "second",
            (pod, _) -> {
              asked.add("second " + pod.name());
              return new Bind.Outcome.NotMine();
            });
    run(first, second);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(2);
    assertThat(asked).containsExactly("first p", "second p");
    assertThat(world.nodeOf("p")).isEqualTo("n");
  }

  @Test
  void bind_byThePlugin_isBelieved_andShown() {
    // It calls somebody, who binds the pod a while later.
    Binding calls =
        new Binding(
            "calls",
            (pod, node) -> {
              notes.add(pod.name() + "@" + node);
              return new Bind.Outcome.Bound();
            });
    SchedulerProcess process = run(new Reserving("r", notes, _ -> null), calls);
    world.pod("p", "", "\"cpu\":\"2\"");
    world.pod("q", "", "\"cpu\":\"1\"");
    seconds(10);
    // The room is taken while nobody sees it yet.
    assertThat(notes).containsExactly("r +p@n", "p@n");
    assertThat(world.bind("p", "n")).isEmpty();
    seconds(40);
    assertThat(notes).doesNotContain("r -p@n");
    assertThat(process.scheduler.placed()).isEqualTo(1);
    assertThat(process.about("p").getLast().outcome().kind()).isEqualTo(Outcome.Kind.ACTED);
  }

  @Test
  void bind_thatNeverShows_isDropped_andThePodIsTriedAgain() {
    var calls = new int[1];
    Binding forgets =
        new Binding(
            "forgets",
            (_, _) -> ++calls[0] == 1 ? new Bind.Outcome.Bound() : new Bind.Outcome.NotMine());
    SchedulerProcess process = run(new Reserving("r", notes, _ -> null), forgets);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(29);
    assertThat(calls[0]).isEqualTo(1);
    seconds(5);
    assertThat(world.nodeOf("p")).isEqualTo("n");
    assertThat(notes).containsExactly("r +p@n", "r -p@n", "r +p@n");
    assertThat(process.about("p").getFirst().outcome().detail())
        .isEqualTo(
            "Bind plugin \"forgets\" said it bound it to node \"n\": the pod did not show that node"
                + " within 30 s");
  }

  @Test
  void bind_thatFails_takesAllBack_andIsTriedAgain() {
    var calls = new int[1];
    Binding fails =
        new Binding(
            "fails",
            (_, _) ->
                ++calls[0] == 1
                    ? new Bind.Outcome.Failed(GivenPlugins.refusal("nobody answers"))
                    : new Bind.Outcome.NotMine());
    run(new Reserving("r", notes, _ -> null), fails);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(0.5);
    assertThat(condition("p"))
        .contains("Bind plugin \\\"fails\\\" did not bind it to node \\\"n\\\": nobody answers");
    seconds(5);
    assertThat(world.nodeOf("p")).isEqualTo("n");
    assertThat(notes).containsExactly("r +p@n", "r -p@n", "r +p@n");
  }

  // ---- what plugins do wrong

  @ParameterizedTest
  @ValueSource(
      strings = {"PreFilter", "Filter", "Score", "Reserve", "Permit", "Bind", "PostFilter"})
  void pluginThatThrows_failsTheAttempt_isNamed_andHoldsUpNobodyElse(String point) {
    SchedulerProcess process = run(new Throwing(point, new NoClassDefFoundError("Missing")));
    String demand = point.equals("PostFilter") ? "\"cpu\":\"8\"" : "\"cpu\":\"500m\"";
    world.pod("bad", "", demand);
    world.pod("good", "", "\"cpu\":\"500m\"");
    seconds(10);
    assertThat(world.nodeOf("good")).isEqualTo("n");
    assertThat(world.nodeOf("bad")).isEmpty();
    String message = point + " plugin \"throws\" failed: java.lang.NoClassDefFoundError: Missing";
    assertThat(process.about("bad"))
        .hasSizeBetween(2, 6)
        .allSatisfy(
            it -> assertThat(it.outcome()).isEqualTo(new Outcome(Outcome.Kind.FAILED, message)));
    assertThat(condition("bad")).contains("SchedulerError", point + " plugin");
    assertThat(waitingFor(process, "binding")).isZero();
    // Nothing of it stays on the node.
    world.pod("large", "", "\"cpu\":\"1500m\"");
    seconds(5);
    assertThat(world.nodeOf("large")).isEqualTo("n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PreFilter", "Reserve"})
  void pluginThatKeepsThrowing_isLoggedInFullOnce_andThenInALineNowAndThen(String point) {
    var missing = new NoClassDefFoundError("Missing");
    SchedulerPlugin plugin =
        point.equals("Reserve")
            ? new Reserving(
                "throws",
                notes,
                _ -> {
                  throw missing;
                })
            : new Throwing(point, missing);
    Listening heard = hearFailing(plugin);
    assertThat(heard.traces).isEqualTo(1);
    assertThat(heard.lines)
        .hasSizeBetween(3, 5)
        .allMatch(line -> line.startsWith(point + " plugin \"throws\" failed: "));
  }

  @Test
  void pluginThatCannotTakeBackEither_isLoggedOnceForEach() {
    Listening heard = hearFailing(new Throwing("Permit", new NoClassDefFoundError("Missing")));
    assertThat(heard.traces).isEqualTo(2);
    assertThat(heard.lines)
        .hasSizeBetween(6, 10)
        .anyMatch(line -> line.startsWith("Permit plugin"))
        .anyMatch(line -> line.startsWith("Unreserve plugin"));
  }

  /** What the log is told while two pods are tried for five minutes. */
  private Listening hearFailing(SchedulerPlugin plugin) {
    Logger logger = Logger.getLogger("dev.evenkeel.decide.schedule.run");
    var listening = new Listening();
    logger.addHandler(listening);
    try {
      SchedulerProcess process = run(plugin);
      world.pod("bad-1", "", "\"cpu\":\"500m\"");
      world.pod("bad-2", "", "\"cpu\":\"500m\"");
      seconds(300);
      assertThat(process.about("bad-1").size()).isGreaterThan(20);
    } finally {
      logger.removeHandler(listening);
    }
    return listening;
  }

  /** What is logged, with a trace and without. */
  private static final class Listening extends Handler {
    private final List<String> lines = new ArrayList<>();
    private int traces;

    @Override
    public void publish(LogRecord entry) {
      if (entry.getThrown() == null) {
        lines.add(entry.getMessage());
      } else {
        traces++;
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void pluginThatAnswersNothing_failsTheAttempt() {
    @SuppressWarnings("NullAway") // As code does that is compiled without such checks.
    Binding nothing = new Binding("nothing", (_, _) -> null);
    SchedulerProcess process = run(nothing);
    world.pod("p", "", "\"cpu\":\"1\"");
    seconds(2);
    assertThat(process.about("p").getFirst().outcome().detail())
        .isEqualTo(
            "Bind plugin \"nothing\" failed: java.lang.NullPointerException: it answered nothing");
  }

  @Test
  void pluginOfOneProfile_hasNoSayInAnother() {
    var strict =
        new PreFilter() {
          @Override
          public String name() {
            return "nobody";
          }

          @Override
          public boolean takesPart(String profile) {
            return profile.equals("strict");
          }

          @Override
          public PluginRefusal preFilter(PodInfo pod, ClusterView cluster) {
            return GivenPlugins.refusal("nobody at all");
          }
        };
    Profile both = Profile.DEFAULT.withPlugins(List.of(strict));
    world.new SchedulerProcess(both, both.named("strict"));
    seconds(1);
    world.pod("p", "", "\"cpu\":\"1\"");
    world.pod("q", "\"schedulerName\":\"strict\",", "\"cpu\":\"1\"");
    seconds(5);
    assertThat(world.nodeOf("p")).isEqualTo("n");
    assertThat(condition("q")).contains("nobody at all");
  }
}

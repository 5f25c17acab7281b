package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.plugin.ClusterView;
import dev.evenkeel.decide.schedule.plugin.Permit;
import dev.evenkeel.decide.schedule.plugin.PluginRefusal;
import dev.evenkeel.decide.schedule.plugin.PreFilter;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.prove.schedule.GivenPlugins.Permitting;
import dev.evenkeel.prove.schedule.GivenPlugins.Reserving;
import dev.evenkeel.prove.schedule.SchedulingWorld.SchedulerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Pods that are of use only together get their nodes together, or none. */
class PodGroupScenario {

  private final SchedulingWorld world = new SchedulingWorld(23);
  private final SchedulerProcess process = world.new SchedulerProcess(Profile.DEFAULT);

  @AfterEach
  void close() {
    world.checkThatNothingIsOvercommitted();
    world.close();
  }

  private void seconds(double seconds) {
    world.env.runFor(Duration.ofMillis((long) (seconds * 1000)));
  }

  /** Room for one pod of a group each. */
  private void nodes(String... names) {
    for (String name : names) {
      world.node(name, "zone-a", "\"cpu\":\"1\",\"pods\":\"10\"");
    }
    seconds(0.1);
  }

  private void members(String group, int count) {
    for (int i = 0; i < count; i++) {
      world.member(group, group + "-" + i, "", "\"cpu\":\"1\"");
    }
  }

  private long bound(String group) {
    return world.list(SchedulingWorld.PODS).stream()
        .filter(it -> SchedulingWorld.groupOf(it).equals(group))
        .filter(it -> !Meta.text(it.path("spec").path("nodeName")).isEmpty())
        .count();
  }

  private String condition(String pod) {
    return world.pod(pod).path("status").path("conditions").toString();
  }

  private JsonNode status(String group) {
    return world.now(world.user.get(SchedulingWorld.GROUPS, "default", group)).path("status");
  }

  private String phase(String group) {
    return Meta.text(status(group).path("phase"));
  }

  private static String scheduled(JsonNode status) {
    JsonNode condition = status.path("conditions").path(0);
    return Meta.text(condition.path("status"))
        + " "
        + Meta.text(condition.path("reason"))
        + ": "
        + Meta.text(condition.path("message"));
  }

  // ---- who is there

  @Test
  void podsOfAGroupThatIsNotThere_wait_untilItIs() {
    nodes("a", "b");
    members("train", 2);
    seconds(2);
    assertThat(condition("train-0")).contains("pod group \\\"train\\\" does not exist");
    Decision decision = process.about("train-0").getLast();
    assertThat(decision.outcome().kind()).isEqualTo(Outcome.Kind.WAITING);
    assertThat(Objects.requireNonNull(decision.evaluation()).rejections())
        .extracting(Decision.Rejection::stage)
        .containsExactly("PodGroup");
    world.group("train", 2, 60);
    seconds(5);
    assertThat(bound("train")).isEqualTo(2);
  }

  @Test
  void tooFewPods_wait_andSayHowMany_untilTheLastIsThere() {
    nodes("a", "b", "c");
    world.group("train", 3, 60);
    world.member("train", "gated", "\"schedulingGates\":[{\"name\":\"g\"}],", "\"cpu\":\"1\"");
    members("train", 2);
    seconds(20);
    assertThat(bound("train")).isZero();
    assertThat(condition("train-1"))
        .contains("pod group \\\"train\\\" needs 3 pods at once, 2 are there.");
    assertThat(phase("train")).isEqualTo("Pending");
    assertThat(status("train").path("members").asInt(0)).isEqualTo(3);
    assertThat(scheduled(status("train"))).isEqualTo("False TooFewPods: 2 of 3 pods are there.");
    world.ungate("gated");
    seconds(2);
    assertThat(bound("train")).isEqualTo(3);
    assertThat(phase("train")).isEqualTo("Scheduled");
    assertThat(status("train").path("scheduled").asInt(0)).isEqualTo(3);
    assertThat(scheduled(status("train")))
        .isEqualTo("True Scheduled: 3 pods have a node, and 3 are needed.");
  }

  @Test
  void minimumThatIsLowered_wakesThePods() {
    nodes("a", "b");
    world.group("train", 3, 60);
    members("train", 2);
    seconds(3);
    assertThat(bound("train")).isZero();
    world.patchGroup("train", "{\"spec\":{\"minMember\":2}}");
    seconds(5);
    assertThat(bound("train")).isEqualTo(2);
  }

  @Test
  void pods_areBoundInOneRevision_andEachSaysWithWhom() {
    nodes("a", "b", "c");
    world.group("train", 3, 60);
    members("train", 3);
    seconds(2);
    Set<String> versions = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      Decision decision = process.about("train-" + i).getLast();
      assertThat(decision.outcome().kind()).isEqualTo(Outcome.Kind.ACTED);
      Decision.ActionRecord bind = decision.actions().getFirst();
      versions.add(Long.toString(bind.version()));
      assertThat(bind.because())
          .startsWith("it is placed with pod group \"train\", together with train-");
      assertThat(decision.reads())
          .extracting(Decision.Read::kind)
          .contains("podgroups.evenkeel.dev");
    }
    assertThat(versions).hasSize(1).doesNotContain("0");
    assertThat(bound("train")).isEqualTo(3);
  }

  @Test
  void membersBeyondTheMinimum_getWhatThereIs_andLaterOnesComeByThemselves() {
    nodes("a", "b");
    world.group("train", 2, 60);
    members("train", 3);
    seconds(5);
    assertThat(bound("train")).isEqualTo(2);
    assertThat(phase("train")).isEqualTo("Scheduled");
    assertThat(status("train").path("members").asInt(0)).isEqualTo(3);
    nodes("c");
    seconds(15);
    assertThat(bound("train")).isEqualTo(3);
    assertThat(process.about("train-2").getLast().actions().getFirst().because())
        .isEqualTo("it is the best of the nodes that are enough");
  }

  @Test
  void podThatFailedAfterOthersSucceeded_comesAgainByItself() {
    nodes("a", "b");
    world.group("train", 2, 60);
    members("train", 2);
    seconds(2);
    world.status("train-0", "Succeeded");
    world.status("train-1", "Failed");
    seconds(1);
    world.member("train", "again", "", "\"cpu\":\"1\"");
    seconds(5);
    assertThat(world.nodeOf("again")).isNotEmpty();
  }

  // ---- the hold

  @Test
  void tooLittleRoom_isHeld_andSmallerPodsDoNotTakeIt_untilThereIsEnough() {
    nodes("a", "b");
    world.group("train", 3, 60);
    members("train", 3);
    seconds(2);
    assertThat(bound("train")).isZero();
    assertThat(condition("train-0"))
        .contains("needs 3 pods at once, there is room for 2", "It holds that room until 2026-");
    assertThat(phase("train")).isEqualTo("Holding");
    world.pod("small", "", "\"cpu\":\"500m\"");
    seconds(10);
    assertThat(world.nodeOf("small")).isEmpty();
    assertThat(condition("small"))
        .contains(
            "0/2 nodes are available: 2 node(s) had room held for pod group"
                + " \\\"default/train\\\".")
        .doesNotContain("Insufficient cpu");
    assertThat(Objects.requireNonNull(process.about("small").getLast().evaluation()).rejections())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.stage()).isEqualTo("HeldRoom");
              assertThat(it.count()).isEqualTo(2);
              assertThat(it.samples()).containsExactlyInAnyOrder("a", "b");
            });
    nodes("c");
    seconds(15);
    assertThat(bound("train")).isEqualTo(3);
    assertThat(phase("train")).isEqualTo("Scheduled");
    assertThat(world.nodeOf("small")).isEmpty();
  }

  @Test
  void roomThatIsHeldForTooLong_isLetGo_andThePodsSaySo_andItIsHeldAgainLater() {
    nodes("a", "b");
    world.group("train", 3, 30);
    members("train", 3);
    seconds(5);
    world.pod("small", "", "\"cpu\":\"500m\"");
    seconds(20);
    assertThat(world.nodeOf("small")).isEmpty();
    seconds(15);
    assertThat(world.nodeOf("small")).isNotEmpty();
    assertThat(phase("train")).isEqualTo("Pending");
    assertThat(world.events())
        .anyMatch(
            it ->
                it.contains(
                    "pod group \"train\" let go of the room for 2 pods that it held for 30 s"));
    seconds(10);
    assertThat(condition("train-0")).contains("It held room until ", ", and may again from ");
    // The same time later it may hold again what there is.
    seconds(30);
    assertThat(phase("train")).isEqualTo("Holding");
  }

  @Test
  void ofTwoGroups_oneHolds_andBothArePlacedInTurn() {
    nodes("a", "b");
    world.group("first", 2, 600);
    world.group("second", 2, 600);
    world.pod("blocker", "", "\"cpu\":\"1\"");
    seconds(1);
    members("first", 2);
    members("second", 2);
    seconds(20);
    assertThat(bound("first") + bound("second")).isZero();
    assertThat(List.of(phase("first"), phase("second")))
        .containsExactlyInAnyOrder("Holding", "Pending");
    world.status("blocker", "Succeeded");
    seconds(20);
    assertThat(bound("first")).isEqualTo(2);
    assertThat(bound("second")).isZero();
    world.status("first-0", "Succeeded");
    seconds(15);
    assertThat(bound("second")).isZero();
    assertThat(phase("second")).isEqualTo("Holding");
    world.status("first-1", "Succeeded");
    seconds(20);
    assertThat(bound("second")).isEqualTo(2);
  }

  @Test
  void groupThatIsMoreImportant_takesTheHoldOver() {
    world.priorityClass("urgent", 1000);
    nodes("a", "b");
    world.group("plain", 3, 600);
    members("plain", 3);
    seconds(3);
    assertThat(phase("plain")).isEqualTo("Holding");
    world.group("vip", 3, 600);
    for (int i = 0; i < 3; i++) {
      world.member("vip", "vip-" + i, "\"priorityClassName\":\"urgent\",", "\"cpu\":\"1\"");
    }
    seconds(5);
    assertThat(phase("vip")).isEqualTo("Holding");
    assertThat(phase("plain")).isEqualTo("Pending");
    nodes("c");
    seconds(15);
    assertThat(bound("vip")).isEqualTo(3);
    assertThat(bound("plain")).isZero();
  }

  @Test
  void groupThatIsDeleted_letsGoOfItsRoom() {
    nodes("a", "b");
    world.group("train", 3, 600);
    members("train", 3);
    seconds(3);
    world.pod("small", "", "\"cpu\":\"500m\"");
    seconds(3);
    assertThat(world.nodeOf("small")).isEmpty();
    var _ =
        world.now(
            world.user.delete(
                SchedulingWorld.GROUPS, "default", "train", SchedulingWorld.json("{}")));
    seconds(15);
    assertThat(world.nodeOf("small")).isNotEmpty();
    assertThat(condition("train-0")).contains("does not exist");
  }

  @Test
  void podsThatAreDeletedWhileTheirGroupHolds_leaveNothingBehind() {
    nodes("a", "b");
    world.group("train", 3, 600);
    members("train", 3);
    seconds(3);
    world.delete("train-0");
    seconds(2);
    // Two are too few for anything: what they held is of no use to them.
    world.pod("small", "", "\"cpu\":\"1\"");
    world.pod("small-2", "", "\"cpu\":\"1\"");
    seconds(15);
    assertThat(world.nodeOf("small")).isNotEmpty();
    assertThat(world.nodeOf("small-2")).isNotEmpty();
  }

  // ---- refusals

  @Test
  void roomThatIsGone_isRefusedForAll_andTheGroupTriesAgain() {
    nodes("a", "b");
    world.pod("taker", "\"schedulerName\":\"somebody\",", "\"cpu\":\"1\"");
    world.group("train", 2, 600);
    members("train", 1);
    seconds(2);
    process.network.lag = Duration.ofSeconds(5);
    world.member("train", "train-1", "", "\"cpu\":\"1\"");
    // Behind the pod that completes the group: seen only after the group was placed.
    assertThat(world.bind("taker", "a")).isEmpty();
    seconds(20);
    assertThat(bound("train")).isZero();
    for (int i = 0; i < 2; i++) {
      assertThat(process.about("train-" + i))
          .filteredOn(it -> it.outcome().kind() == Outcome.Kind.CONFLICT)
          .as("what the refusal taught is not tried twice")
          .singleElement()
          .satisfies(
              it ->
                  assertThat(it.outcome().detail())
                      .contains("no pod of podgroup \"train\" was bound", "Insufficient cpu"));
    }
    process.network.lag = Duration.ZERO;
    assertThat(phase("train")).isEqualTo("Holding");
    world.delete("taker");
    seconds(20);
    assertThat(bound("train")).isEqualTo(2);
  }

  @Test
  void bindingThatIsRefusedForAnotherReason_leavesNothingBehind() {
    nodes("a", "b");
    world.group("train", 2, 600);
    members("train", 1);
    seconds(2);
    process.network.lag = Duration.ofSeconds(5);
    world.member("train", "train-1", "", "\"cpu\":\"1\"");
    // It is gone before the scheduler has even seen it.
    world.delete("train-1");
    seconds(15);
    assertThat(bound("train")).isZero();
    assertThat(process.about("train-0"))
        .anySatisfy(it -> assertThat(it.outcome().kind()).isEqualTo(Outcome.Kind.FAILED));
    process.network.lag = Duration.ZERO;
    world.pod("p", "", "\"cpu\":\"1\"");
    world.pod("q", "", "\"cpu\":\"1\"");
    seconds(20);
    assertThat(world.nodeOf("p")).isNotEmpty();
    assertThat(world.nodeOf("q")).isNotEmpty();
    world.delete("p");
    world.delete("q");
    world.member("train", "again", "", "\"cpu\":\"1\"");
    seconds(20);
    assertThat(bound("train")).isEqualTo(2);
  }

  @Test
  void bindingThatAPolicyRefuses_isWhatTheGroupSays_untilItIsBound() {
    nodes("a", "b");
    var _ =
        world.now(
            world.user.create(
                SchedulingWorld.ADMISSION_POLICIES,
                "",
                SchedulingWorld.json(
                    "{\"metadata\":{\"name\":\"no\"},\"spec\":{\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"evenkeel.dev\"],"
                        + "\"apiVersions\":[\"v1alpha1\"],\"operations\":[\"CREATE\"],\"resources\":[\"podgroups/binding\"]}]},\"validations\":[{\"expression\":\"false\",\"message\":\"no"
                        + " trains today\"}]}}")));
    var _ =
        world.now(
            world.user.create(
                SchedulingWorld.ADMISSION_BINDINGS,
                "",
                SchedulingWorld.json(
                    "{\"metadata\":{\"name\":\"no\"},\"spec\":{\"policyName\":\"no\",\"validationActions\":[\"Deny\"]}}")));
    seconds(1);
    world.group("train", 2, 60);
    members("train", 2);
    var says = new ArrayList<String>();
    for (int i = 0; i < 40; i++) {
      seconds(0.5);
      says.add(scheduled(status("train")));
    }
    assertThat(bound("train")).isZero();
    assertThat(process.about("train-0")).hasSizeGreaterThan(2);
    // While it is tried again it says so, too.
    assertThat(says.subList(6, says.size()))
        .allSatisfy(
            it -> assertThat(it).startsWith("False BindingRefused: ").contains("no trains today"));
    var _ =
        world.now(
            world.user.delete(
                SchedulingWorld.ADMISSION_BINDINGS, "", "no", SchedulingWorld.json("{}")));
    seconds(20);
    assertThat(bound("train")).isEqualTo(2);
    assertThat(scheduled(status("train"))).startsWith("True Scheduled: ");
  }

  @Test
  void pluginThatRefusesOne_refusesAll_andTakesBackWhatWasSetAside() {
    seconds(1);
    process.kill();
    List<String> notes = new ArrayList<>();
    SchedulerProcess asking =
        world
        .new SchedulerProcess(
            Profile.DEFAULT.withPlugins(
                List.of(
                    new Reserving(
                        "r",
                        notes,
                        pod ->
                            pod.name().equals("train-1")
                                ? GivenPlugins.refusal("not this one", WakeOn.NODE_LABELS)
                                : null))));
    nodes("a", "b");
    world.group("train", 2, 60);
    members("train", 2);
    seconds(30);
    assertThat(bound("train")).isZero();
    assertThat(notes).hasSize(4);
    assertThat(notes.subList(2, 4)).allMatch(it -> it.contains(" -"));
    assertThat(condition("train-0"))
        .contains("pod default/train-1 of its group was not bound: Reserve plugin");
    assertThat(scheduled(status("train")))
        .startsWith(
            "False StoppedByPlugin: pod default/train-1 was not bound: Reserve plugin \"r\" refused"
                + " node ")
        .endsWith(": not this one");
    assertThat(asking.about("train-1").getLast().outcome().detail()).startsWith("Reserve plugin");
    // The room is free.
    world.pod("p", "", "\"cpu\":\"1\"");
    world.pod("q", "", "\"cpu\":\"1\"");
    seconds(2);
    assertThat(world.nodeOf("p")).isNotEmpty();
    assertThat(world.nodeOf("q")).isNotEmpty();
  }

  @Test
  void permitOfOne_hasAllWait() {
    seconds(1);
    process.kill();
    var permits = Permitting.waiting(Duration.ofMinutes(5));
    SchedulerProcess asking =
        world.new SchedulerProcess(Profile.DEFAULT.withPlugins(List.of(permits)));
    nodes("a", "b", "c");
    world.group("train", 2, 60);
    members("train", 2);
    seconds(3);
    assertThat(asking.scheduler.waiting()).containsEntry("permit", 2);
    assertThat(scheduled(status("train")))
        .startsWith("False WaitingForPermit: Permit plugin \"permits\" has pod default/train-")
        .endsWith(", for at most 300 s");
    assertThat(condition("train-0") + condition("train-1"))
        .contains("\\\"permits\\\" has it wait", " of its group wait with node ");
    // One that comes meanwhile waits for the outcome.
    world.member("train", "late", "", "\"cpu\":\"1\"");
    seconds(3);
    assertThat(asking.scheduler.waiting()).containsEntry("unschedulable", 1);
    permits.answer = _ -> new Permit.Answer.Go();
    seconds(5);
    assertThat(bound("train")).isEqualTo(3);
  }

  @Test
  void podThatCameWhileOthersWereOnTheirWay_isTriedAgainWhenTheyAreRefused() {
    seconds(1);
    process.kill();
    var permits = Permitting.waiting(Duration.ofMinutes(5));
    SchedulerProcess asking =
        world.new SchedulerProcess(Profile.DEFAULT.withPlugins(List.of(permits)));
    nodes("a", "b", "c");
    world.group("train", 2, 60);
    members("train", 2);
    seconds(3);
    world.member("train", "late", "", "\"cpu\":\"1\"");
    seconds(3);
    permits.answer = _ -> new Permit.Answer.No(GivenPlugins.refusal("no more trains"));
    seconds(5);
    assertThat(asking.about("late").getLast().outcome().detail()).contains("no more trains");
    assertThat(scheduled(status("train")))
        .contains("False StoppedByPlugin: ", "Permit plugin \"permits\" refused", "no more trains");
    world.pod("p", "\"schedulerName\":\"somebody\",", "\"cpu\":\"1\"");
    assertThat(world.bind("p", "a")).isEmpty();
  }

  @Test
  void twoSchedulersThatSeeAGroupDifferently_doNotFillTheServerWithWhatTheySay() {
    nodes("a", "b");
    world.group("train", 3, 600);
    members("train", 3);
    seconds(3);
    // It sees the pods, and no room that it could hold.
    SchedulerProcess other =
        world.new SchedulerProcess(Profile.DEFAULT.withPlugins(List.of(new Blind())));
    seconds(3);
    var writes = new int[1];
    world.witness(SchedulingWorld.GROUPS, _ -> writes[0]++);
    seconds(60);
    assertThat(other.about("train-0")).isNotEmpty();
    assertThat(writes[0]).isBetween(10, 150);
  }

  /** Finds nothing. */
  private static final class Blind implements PreFilter {
    @Override
    public String name() {
      return "blind";
    }

    @Override
    public PluginRefusal preFilter(PodInfo pod, ClusterView cluster) {
      return GivenPlugins.refusal("nothing to be seen");
    }
  }

  @Test
  void statusIsWritten_onlyWhenItChanges() {
    nodes("a", "b");
    world.group("train", 3, 600);
    members("train", 3);
    seconds(20);
    String version =
        Meta.resourceVersion(world.now(world.user.get(SchedulingWorld.GROUPS, "default", "train")));
    // Attempts that end as the last one did say nothing new.
    var _ =
        world.now(
            world.user.patch(
                SchedulingWorld.NODES,
                "",
                "a",
                PatchType.MERGE,
                Bytes.utf8("{\"metadata\":{\"labels\":{\"x\":\"y\"}}}"),
                new Query()));
    world.pod("p", "\"schedulerName\":\"somebody\",", "\"cpu\":\"100m\"");
    world.delete("p");
    seconds(30);
    assertThat(
            Meta.resourceVersion(
                world.now(world.user.get(SchedulingWorld.GROUPS, "default", "train"))))
        .isEqualTo(version);
  }
}

package dev.evenkeel.decide.controllers.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The controllers of volumes and claims on the real server, while they are stopped and started
 * anew, answers get lost, and claims come and go: no volume is ever named by two claims that are
 * bound, and in the end whoever can have one has one. A failing run is a seed.
 */
final class VolumeBindingSimulation {

  private static final int SEEDS = 100;

  private static World world(long seed, int lossPercent) {
    return new World(
        seed,
        lossPercent,
        List.of(
            ClaimBindingReconciler.controller(),
            ClaimProtectionReconciler.controller(),
            VolumePhaseReconciler.controller()));
  }

  private static void volume(World world, String name, String spec) {
    world.create(
        Kinds.VOLUMES,
        """
        {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"%s"},
         "spec":{"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"},%s}}
        """
            .formatted(name, spec));
  }

  private static void claim(World world, String name, String size, String more) {
    world.create(
        Kinds.VOLUME_CLAIMS,
        """
        {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"%s"},
         "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"%s"}}%s}}
        """
            .formatted(name, size, more));
  }

  private static String size(int gibibytes) {
    return "\"capacity\":{\"storage\":\"" + gibibytes + "Gi\"}";
  }

  private static String phase(World world, Kind<ObjectNode> kind, String name) {
    return world.get(kind, name).path("status").path("phase").asString("");
  }

  private static String volumeOf(World world, String claim) {
    return world.get(Kinds.VOLUME_CLAIMS, claim).path("spec").path("volumeName").asString("");
  }

  /** Of all claims that are there and name a volume, no two name the same. */
  private static Map<String, String> assertNobodyShares(World world) {
    Map<String, String> users = new HashMap<>();
    for (ObjectNode claim : world.list(Kinds.VOLUME_CLAIMS)) {
      String volume = claim.path("spec").path("volumeName").asString("");
      if (!volume.isEmpty()) {
        assertThat(users.put(volume, Meta.name(claim))).as(volume).isNull();
      }
    }
    return users;
  }

  @Test
  void volumes_areNeverShared_andInTheEndAsManyAsCanBeAreBound() {
    World.seeds("volumes", SEEDS, VolumeBindingSimulation::run);
  }

  private static void run(long seed) {
    try (var world = world(seed, 10)) {
      int volumes = 0;
      int claims = 0;
      for (int step = 0; step < 40; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(40)));
        assertNobodyShares(world);
        switch (world.random.nextInt(6)) {
          case 0, 1 -> volume(world, "v" + volumes++, size(1));
          case 2, 3 -> claim(world, "c" + claims++, "1Gi", "");
          case 4 -> {
            ObjectNode gone = world.oneOf(world.list(Kinds.VOLUME_CLAIMS));
            if (gone != null) {
              world.delete(Kinds.VOLUME_CLAIMS, Meta.name(gone), "{}");
            }
          }
          default -> world.restart();
        }
      }
      world.settle();
      Map<String, String> users = assertNobodyShares(world);
      int waiting = 0;
      for (ObjectNode claim : world.list(Kinds.VOLUME_CLAIMS)) {
        boolean bound = !claim.path("spec").path("volumeName").asString("").isEmpty();
        assertThat(claim.path("status").path("phase").asString(""))
            .isEqualTo(bound ? "Bound" : "Pending");
        waiting += bound ? 0 : 1;
      }
      int free = 0;
      for (ObjectNode volume : world.list(Kinds.VOLUMES)) {
        JsonNode phase = volume.path("status").path("phase");
        boolean named = volume.path("spec").has("claimRef");
        boolean used = users.containsKey(Meta.name(volume));
        assertThat(phase.asString("")).isEqualTo(used ? "Bound" : named ? "Released" : "Available");
        free += named ? 0 : 1;
      }
      assertThat(Math.min(free, waiting)).as("volumes that a claim could have").isZero();
    }
  }

  @Test
  void claim_getsTheSmallestVolumeThatSuits() {
    try (var world = world(1, 0)) {
      volume(world, "small", size(1));
      volume(world, "large", size(9));
      volume(world, "middle", size(5));
      volume(world, "classy", size(5) + ",\"storageClassName\":\"fast\"");
      claim(world, "c", "3Gi", "");
      claim(world, "fast", "3Gi", ",\"storageClassName\":\"fast\"");
      world.settle();
      assertThat(volumeOf(world, "c")).isEqualTo("middle");
      assertThat(volumeOf(world, "fast")).isEqualTo("classy");
      JsonNode status = world.get(Kinds.VOLUME_CLAIMS, "c").path("status");
      assertThat(status.path("phase").asString("")).isEqualTo("Bound");
      assertThat(status.path("capacity").path("storage").asString("")).isEqualTo("5Gi");
      assertThat(phase(world, Kinds.VOLUMES, "middle")).isEqualTo("Bound");
      assertThat(phase(world, Kinds.VOLUMES, "large")).isEqualTo("Available");
    }
  }

  @Test
  void volume_thatAUserReserved_goesToThatClaimOnly() {
    try (var world = world(2, 0)) {
      volume(
          world, "kept", size(1) + ",\"claimRef\":{\"namespace\":\"default\",\"name\":\"mine\"}");
      claim(world, "other", "1Gi", "");
      world.settle();
      assertThat(volumeOf(world, "other")).isEmpty();
      claim(world, "mine", "1Gi", "");
      world.settle();
      assertThat(volumeOf(world, "mine")).isEqualTo("kept");
      assertThat(phase(world, Kinds.VOLUMES, "kept")).isEqualTo("Bound");
    }
  }

  @Test
  void volume_ofAClaimThatIsGone_isReleased_andGivenToNobody() {
    try (var world = world(3, 0)) {
      volume(world, "v", size(1));
      claim(world, "c", "1Gi", "");
      world.settle();
      world.delete(Kinds.VOLUME_CLAIMS, "c", "{}");
      claim(world, "d", "1Gi", "");
      world.settle();
      assertThat(phase(world, Kinds.VOLUMES, "v")).isEqualTo("Released");
      assertThat(volumeOf(world, "d")).isEmpty();
    }
  }

  @Test
  void claim_whoseVolumeIsGone_isLost() {
    try (var world = world(4, 0)) {
      volume(world, "v", size(1));
      claim(world, "c", "1Gi", "");
      world.settle();
      world.patch(Kinds.VOLUMES, "v", "{\"metadata\":{\"finalizers\":null}}");
      world.delete(Kinds.VOLUMES, "v", "{}");
      world.settle();
      assertThat(phase(world, Kinds.VOLUME_CLAIMS, "c")).isEqualTo("Lost");
    }
  }

  @Test
  void claim_thatWaitsForItsFirstConsumer_isGivenNothing() {
    try (var world = world(5, 0)) {
      world.create(
          Kinds.STORAGE_CLASSES,
          """
          {"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"late"},
           "provisioner":"kubernetes.io/no-provisioner","volumeBindingMode":"WaitForFirstConsumer"}
          """);
      volume(world, "v", size(1) + ",\"storageClassName\":\"late\"");
      claim(world, "c", "1Gi", ",\"storageClassName\":\"late\"");
      world.settle();
      assertThat(volumeOf(world, "c")).isEmpty();
      world.patch(
          Kinds.VOLUMES,
          "v",
          "{\"spec\":{\"claimRef\":{\"namespace\":\"default\",\"name\":\"c\"}}}");
      world.settle();
      assertThat(volumeOf(world, "c")).isEqualTo("v");
    }
  }

  @Test
  void claim_ofAClassThatMakesVolumes_isLeftToItsProvisioner() {
    try (var world = world(6, 0)) {
      world.create(
          Kinds.STORAGE_CLASSES,
          """
          {"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"made"},
           "provisioner":"disks.example.com"}
          """);
      claim(world, "c", "1Gi", ",\"storageClassName\":\"made\"");
      world.settle();
      assertThat(
              Meta.at(world.get(Kinds.VOLUME_CLAIMS, "c"), "metadata", "annotations")
                  .path("volume.kubernetes.io/storage-provisioner")
                  .asString(""))
          .isEqualTo("disks.example.com");
    }
  }
}

package dev.evenkeel.serve.podsecurity;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a pod mounts. */
final class VolumeChecks {

  private static final List<String> ALLOWED =
      List.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "image",
          "persistentVolumeClaim",
          "projected",
          "secret");

  private static final List<String> RESTRICTED =
      List.of(
          "hostPath",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "gitRepo",
          "nfs",
          "iscsi",
          "glusterfs",
          "rbd",
          "flexVolume",
          "cinder",
          "cephfs",
          "flocker",
          "fc",
          "azureFile",
          "vsphereVolume",
          "quobyte",
          "azureDisk",
          "photonPersistentDisk",
          "portworxVolume",
          "scaleIO",
          "storageos");

  private VolumeChecks() {}

  static @Nullable Violation hostPaths(CheckedPod pod) {
    List<String> names = new ArrayList<>();
    for (JsonNode volume : pod.spec().path("volumes")) {
      if (volume.path("hostPath").isObject()) {
        names.add(Meta.text(volume.path("name")));
      }
    }
    return names.isEmpty() ? null : new Violation("hostPath volumes", Wording.volumes(names));
  }

  static @Nullable Violation types(CheckedPod pod) {
    List<String> names = new ArrayList<>();
    Set<String> types = new TreeSet<>();
    for (JsonNode volume : pod.spec().path("volumes")) {
      if (ALLOWED.stream().noneMatch(type -> volume.path(type).isObject())) {
        names.add(Meta.text(volume.path("name")));
        types.add(
            RESTRICTED.stream()
                .filter(type -> volume.path(type).isObject())
                .findFirst()
                .orElse("unknown"));
      }
    }
    return names.isEmpty()
        ? null
        : new Violation(
            "restricted volume types",
            "%s %s %s %s"
                .formatted(
                    Wording.volumes(names),
                    Wording.plural("uses", "use", names),
                    Wording.plural("restricted volume type", "restricted volume types", types),
                    Wording.quoted(types)));
  }
}

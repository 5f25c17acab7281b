package dev.evenkeel.serve.kinds.rules.container;

import dev.evenkeel.serve.kinds.rules.check.Paths;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The volumes a container sees, as folders or as devices. */
final class MountValidation {

  private MountValidation() {}

  static void validate(Place container, Volumes volumes) {
    mounts(container, volumes);
    devices(container, volumes);
  }

  private static void mounts(Place container, Volumes volumes) {
    Place mounts = container.at("volumeMounts");
    if (mounts.isEmpty()) {
      return;
    }
    Set<String> devices = each(container.at("volumeDevices"), "name");
    Set<String> devicePaths = each(container.at("volumeDevices"), "devicePath");
    boolean privileged = container.at("securityContext", "privileged").flag();
    Set<String> paths = new HashSet<>();
    for (Place mount : mounts.items()) {
      Place name = mount.at("name");
      if (!volumes.names().contains(name.text())) {
        name.notFound();
      }
      Place path = mount.at("mountPath");
      if (!paths.add(path.text())) {
        path.invalid("must be unique");
      }
      if (devices.contains(name.text())) {
        name.invalid("must not already exist in volumeDevices");
      }
      if (devicePaths.contains(path.text())) {
        path.invalid("must not already exist as a path in volumeDevices");
      }
      subPaths(mounts, mount);
      propagation(mounts, mount, privileged);
    }
  }

  /** Their faults are told of the list, not of the mount: so does upstream. */
  private static void subPaths(Place mounts, Place mount) {
    Place subPath = mount.at("subPath");
    Place expression = mount.at("subPathExpr");
    if (!subPath.isEmpty()) {
      Paths.descending(mounts.at("subPath").holding(subPath.node()));
    }
    if (!expression.isEmpty()) {
      if (!subPath.isEmpty()) {
        expression.invalid("subPathExpr and subPath are mutually exclusive");
      }
      Paths.descending(mounts.at("subPathExpr").holding(expression.node()));
    }
  }

  private static void propagation(Place mounts, Place mount, boolean privileged) {
    Place propagation = mount.at("mountPropagation");
    if (propagation.is("Bidirectional") && !privileged) {
      mounts
          .at("mountPropagation")
          .forbidden("Bidirectional mount propagation is available only to privileged containers");
    }
    Place recursive = mount.at("recursiveReadOnly");
    if (recursive.is("Enabled") || recursive.is("IfPossible")) {
      Place told = mounts.at("recursiveReadOnly");
      if (!mount.at("readOnly").flag()) {
        told.forbidden("may only be specified when readOnly is true");
      }
      if (propagation.isThere() && !propagation.is("None")) {
        told.forbidden("may only be specified when mountPropagation is None or not specified");
      }
    }
  }

  private static void devices(Place container, Volumes volumes) {
    List<Place> devices = container.at("volumeDevices").items();
    if (devices.isEmpty()) {
      return;
    }
    Set<String> mounts = each(container.at("volumeMounts"), "name");
    Set<String> mountPaths = each(container.at("volumeMounts"), "mountPath");
    Set<String> names = new HashSet<>();
    Set<String> paths = new HashSet<>();
    for (Place device : devices) {
      Place name = device.at("name");
      Place path = device.at("devicePath");
      if (!names.add(name.text())) {
        name.invalid("must be unique");
      }
      if (!volumes.names().contains(name.text())) {
        name.notFound();
      } else if (!volumes.claims().contains(name.text())) {
        name.invalid(
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      }
      if (Paths.hasBacksteps(path.text())) {
        path.invalid("can not contain backsteps ('..')");
      } else if (!paths.add(path.text())) {
        path.invalid("must be unique");
      }
      if (mounts.contains(name.text())) {
        name.invalid("must not already exist in volumeMounts");
      }
      if (mountPaths.contains(path.text())) {
        path.invalid("must not already exist as a path in volumeMounts");
      }
    }
  }

  private static Set<String> each(Place items, String field) {
    Set<String> texts = new HashSet<>();
    for (Place item : items.items()) {
      texts.add(item.at(field).text());
    }
    return texts;
  }
}

package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.NONE;
import static dev.evenkeel.serve.kinds.tables.Cells.UNSET;
import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.orElse;
import static dev.evenkeel.serve.kinds.tables.Cells.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.age;
import static dev.evenkeel.serve.kinds.tables.TableColumn.computed;
import static dev.evenkeel.serve.kinds.tables.TableColumn.count;
import static dev.evenkeel.serve.kinds.tables.TableColumn.flag;
import static dev.evenkeel.serve.kinds.tables.TableColumn.name;
import static dev.evenkeel.serve.kinds.tables.TableColumn.text;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.TablePrinter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Volumes, claims, classes and drivers. */
final class StorageTables {

  /** In the order they are shown. */
  private static final Map<String, String> ACCESS_MODES = new LinkedHashMap<>();

  static {
    ACCESS_MODES.put("ReadWriteOnce", "RWO");
    ACCESS_MODES.put("ReadOnlyMany", "ROX");
    ACCESS_MODES.put("ReadWriteMany", "RWX");
    ACCESS_MODES.put("ReadWriteOncePod", "RWOP");
  }

  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  private static final List<String> DEFAULT_CLASS_ANNOTATIONS =
      List.of(
          "storageclass.kubernetes.io/is-default-class",
          "storageclass.beta.kubernetes.io/is-default-class");

  private StorageTables() {}

  static TablePrinter persistentVolumes() {
    return ColumnsPrinter.of(
        name(),
        text("Capacity", "spec.capacity.storage", "0", "Size of the volume"),
        computed(
            "Access Modes", "How it can be mounted", o -> accessModes(at(o, "spec.accessModes"))),
        text(
            "Reclaim Policy",
            "spec.persistentVolumeReclaimPolicy",
            "What becomes of it after its claim"),
        computed("Status", "Where it is in its life", StorageTables::phase),
        computed("Claim", "The claim it is bound to", StorageTables::claim),
        computed("StorageClass", "Class of the volume", StorageTables::storageClass),
        text(
            "VolumeAttributesClass",
            "spec.volumeAttributesClassName",
            UNSET,
            "Class of its changeable attributes"),
        text("Reason", "status.reason", "Why it is in that state"),
        age(),
        text("VolumeMode", "spec.volumeMode", UNSET, "File system or block device").wide());
  }

  static TablePrinter persistentVolumeClaims() {
    return ColumnsPrinter.of(
        name(),
        computed("Status", "Where it is in its life", StorageTables::phase),
        text("Volume", "spec.volumeName", "The volume it is bound to"),
        computed(
            "Capacity",
            "Size of the bound volume",
            o -> isBound(o) ? orElse(text(o, "status.capacity.storage"), "0") : ""),
        computed(
            "Access Modes",
            "How the bound volume can be mounted",
            o -> isBound(o) ? accessModes(at(o, "status.accessModes")) : ""),
        computed("StorageClass", "Class of the claim", StorageTables::storageClass),
        text(
            "VolumeAttributesClass",
            "spec.volumeAttributesClassName",
            UNSET,
            "Class of its changeable attributes"),
        age(),
        text("VolumeMode", "spec.volumeMode", UNSET, "File system or block device").wide());
  }

  static TablePrinter storageClasses() {
    return ColumnsPrinter.of(
        computed(
                "Name",
                "Name of the object, and whether it is the default",
                StorageTables::className)
            .withFormat("name"),
        text("Provisioner", "provisioner", "Who makes its volumes"),
        text("ReclaimPolicy", "reclaimPolicy", "Delete", "What becomes of released volumes"),
        text("VolumeBindingMode", "volumeBindingMode", "Immediate", "When volumes are made"),
        flag("AllowVolumeExpansion", "allowVolumeExpansion", false, "Whether claims may grow")
            .withType("string"),
        age());
  }

  static TablePrinter volumeAttributesClasses() {
    return ColumnsPrinter.of(
        name(), text("DriverName", "driverName", "The driver it is for"), age());
  }

  static TablePrinter volumeAttachments() {
    return ColumnsPrinter.of(
        name(),
        text("Attacher", "spec.attacher", "Who attaches").withFormat("name"),
        text("PV", "spec.source.persistentVolumeName", "The volume"),
        text("Node", "spec.nodeName", "The node"),
        flag("Attached", "status.attached", false, "Whether it is attached"),
        age());
  }

  static TablePrinter csiNodes() {
    return ColumnsPrinter.of(
        name(), count("Drivers", "spec.drivers", "Number of drivers on the node"), age());
  }

  static TablePrinter csiDrivers() {
    return ColumnsPrinter.of(
        name(),
        flag("AttachRequired", "spec.attachRequired", true, "Whether volumes are attached first"),
        flag("PodInfoOnMount", "spec.podInfoOnMount", false, "Whether it is told of the pod"),
        flag("StorageCapacity", "spec.storageCapacity", false, "Whether it publishes capacity"),
        computed("TokenRequests", "Audiences it wants tokens for", StorageTables::audiences),
        flag("RequiresRepublish", "spec.requiresRepublish", false, "Whether it is called again"),
        computed(
            "Modes",
            "Lifecycles of its volumes",
            o -> orElse(String.join(",", Cells.strings(at(o, "spec.volumeLifecycleModes"))), NONE)),
        age());
  }

  private static boolean isBound(ObjectNode claim) {
    return !text(claim, "spec.volumeName").isEmpty();
  }

  private static String accessModes(JsonNode modes) {
    List<String> given = Cells.strings(modes);
    return ACCESS_MODES.entrySet().stream()
        .filter(e -> given.contains(e.getKey()))
        .map(Map.Entry::getValue)
        .collect(Collectors.joining(","));
  }

  private static String phase(ObjectNode object) {
    return Cells.isBeingDeleted(object) ? "Terminating" : text(object, "status.phase");
  }

  private static String claim(ObjectNode volume) {
    JsonNode reference = at(volume, "spec.claimRef");
    return reference.isObject() ? text(reference, "namespace") + "/" + text(reference, "name") : "";
  }

  /** The annotation is older than the field and still wins. */
  private static String storageClass(ObjectNode object) {
    JsonNode annotated = annotation(object, CLASS_ANNOTATION);
    return annotated.isString() ? annotated.stringValue() : text(object, "spec.storageClassName");
  }

  private static JsonNode annotation(ObjectNode object, String key) {
    return at(object, "metadata.annotations").path(key);
  }

  private static String className(ObjectNode storageClass) {
    boolean isDefault =
        DEFAULT_CLASS_ANNOTATIONS.stream()
            .anyMatch(key -> Meta.text(annotation(storageClass, key)).equals("true"));
    return Meta.name(storageClass) + (isDefault ? " (default)" : "");
  }

  private static String audiences(ObjectNode driver) {
    JsonNode requests = at(driver, "spec.tokenRequests");
    return requests.isArray() ? Cells.joined(requests, "audience") : UNSET;
  }
}

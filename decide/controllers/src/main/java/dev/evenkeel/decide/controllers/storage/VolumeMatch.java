package dev.evenkeel.decide.controllers.storage;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.object.Selecting;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.object.Cached;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which volume suits a claim: the one that is its own already, else the smallest that is free. */
final class VolumeMatch {

  private static final String FORMER_CLASS = "volume.beta.kubernetes.io/storage-class";

  private VolumeMatch() {}

  /**
   * @param onlyOwn whether free volumes are left to somebody else to choose from
   * @return null if there is none
   */
  static @Nullable Cached<ObjectNode> find(
      Cached<ObjectNode> claim, List<Cached<ObjectNode>> volumes, boolean onlyOwn) {
    ObjectNode wanted = claim.tree();
    LabelSelector selector =
        wanted.path("spec").has("selector") ? Selecting.selector(wanted) : LabelSelector.EVERYTHING;
    Cached<ObjectNode> best = null;
    Quantity bestSize = null;
    for (Cached<ObjectNode> candidate : volumes) {
      ObjectNode volume = candidate.tree();
      if (!suits(volume, wanted)) {
        continue;
      }
      if (ClaimRef.names(volume, claim)) {
        return candidate;
      }
      boolean free =
          !onlyOwn
              && !ClaimRef.isSet(volume)
              && Pods.phase(volume).equals("Available")
              && selector != null
              && selector.matches(candidate.labels());
      Quantity size = size(volume);
      if (free && size != null && (bestSize == null || size.compareTo(bestSize) < 0)) {
        best = candidate;
        bestSize = size;
      }
    }
    return best;
  }

  /** Whether the volume has what the claim asks for. */
  static boolean suits(ObjectNode volume, ObjectNode claim) {
    Quantity size = size(volume);
    Quantity asked =
        Quantity.tryRead(Meta.at(claim, "spec", "resources", "requests").path("storage"));
    return !Pods.isEnding(volume)
        && size != null
        && (asked == null || asked.compareTo(size) <= 0)
        && storageClass(volume).equals(storageClass(claim))
        && text(volume, "volumeMode", "Filesystem").equals(text(claim, "volumeMode", "Filesystem"))
        && text(volume, "volumeAttributesClassName", "")
            .equals(text(claim, "volumeAttributesClassName", ""))
        && modes(volume).containsAll(modes(claim));
  }

  static String storageClass(JsonNode object) {
    String former = Meta.text(Meta.at(object, "metadata", "annotations").path(FORMER_CLASS));
    return former.isEmpty() ? text(object, "storageClassName", "") : former;
  }

  private static @Nullable Quantity size(JsonNode volume) {
    return Quantity.tryRead(Meta.at(volume, "spec", "capacity").path("storage"));
  }

  private static Set<String> modes(JsonNode object) {
    return object
        .path("spec")
        .path("accessModes")
        .valueStream()
        .map(Meta::text)
        .collect(Collectors.toSet());
  }

  private static String text(JsonNode object, String field, String whenAbsent) {
    String value = Meta.text(object.path("spec").path(field));
    return value.isEmpty() ? whenAbsent : value;
  }
}

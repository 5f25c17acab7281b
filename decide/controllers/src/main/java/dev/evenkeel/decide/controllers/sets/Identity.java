package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Who a pod of a StatefulSet is: its name, what follows from it, and the claims it keeps. */
final class Identity {

  static final String NAME_LABEL = "statefulset.kubernetes.io/pod-name";
  static final String INDEX_LABEL = "apps.kubernetes.io/pod-index";

  private static final int ORDINAL_DIGITS_MAX = 9;

  private Identity() {}

  /** The number at the end of a name, after a dash; -1 if there is none. */
  static int ordinal(String name) {
    String digits = name.substring(name.lastIndexOf('-') + 1);
    boolean numeric =
        !digits.isEmpty()
            && digits.length() < name.length()
            && digits.length() <= ORDINAL_DIGITS_MAX
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    // A name with needless zeros is nobody's: it would be a second pod of its ordinal.
    boolean plain = digits.length() == 1 || !digits.startsWith("0");
    return numeric && plain ? Integer.parseInt(digits) : -1;
  }

  /** What stands before the ordinal; empty if there is none. */
  static String parent(String name) {
    return ordinal(name) < 0 ? "" : name.substring(0, name.lastIndexOf('-'));
  }

  static String name(Cached<?> set, int ordinal) {
    return set.name() + "-" + ordinal;
  }

  static String claim(JsonNode template, Cached<?> set, int ordinal) {
    return Meta.text(template.path("metadata").path("name")) + "-" + name(set, ordinal);
  }

  /** A pod by a revision's template. */
  static ObjectNode pod(
      Cached<ObjectNode> set,
      String serviceName,
      List<ObjectNode> claimTemplates,
      Revision revision,
      int ordinal) {
    ObjectNode pod = Pods.fromTemplate(revision.template(), set);
    String name = name(set, ordinal);
    ObjectNode metadata = Meta.of(pod);
    metadata.put("name", name);
    ObjectNode labels = child(metadata, "labels");
    labels.put(NAME_LABEL, name);
    labels.put(INDEX_LABEL, Integer.toString(ordinal));
    labels.put(Member.REVISION_LABEL, revision.name());
    ObjectNode spec = child(pod, "spec");
    spec.put("hostname", name);
    if (!serviceName.isEmpty()) {
      spec.put("subdomain", serviceName);
    }
    if (!claimTemplates.isEmpty()) {
      spec.set("volumes", volumes(spec.path("volumes"), set, claimTemplates, ordinal));
    }
    return pod;
  }

  /** Whether a pod says who it is. */
  static boolean isTold(Member member) {
    return member.seen().labels().getOrDefault(NAME_LABEL, "").equals(member.name())
        && member
            .seen()
            .labels()
            .getOrDefault(INDEX_LABEL, "")
            .equals(Integer.toString(ordinal(member.name())));
  }

  /** What has a pod say who it is. */
  static ObjectNode telling(Member member) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    Meta.of(change)
        .putObject("labels")
        .put(NAME_LABEL, member.name())
        .put(INDEX_LABEL, Integer.toString(ordinal(member.name())));
    return change;
  }

  /** The claims' volumes first; they take the place of volumes of the same name. */
  private static ArrayNode volumes(
      JsonNode given, Cached<?> set, List<ObjectNode> claimTemplates, int ordinal) {
    ArrayNode volumes = JsonNodeFactory.instance.arrayNode();
    for (ObjectNode template : claimTemplates) {
      volumes
          .addObject()
          .put("name", Meta.name(template))
          .putObject("persistentVolumeClaim")
          .put("claimName", claim(template, set, ordinal));
    }
    List<String> taken = claimTemplates.stream().map(Meta::name).toList();
    for (JsonNode volume : given) {
      if (!taken.contains(Meta.text(volume.path("name")))) {
        volumes.add(volume);
      }
    }
    return volumes;
  }

  private static ObjectNode child(ObjectNode parent, String field) {
    return parent.get(field) instanceof ObjectNode known ? known : parent.putObject(field);
  }
}

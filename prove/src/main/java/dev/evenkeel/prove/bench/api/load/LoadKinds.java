package dev.evenkeel.prove.bench.api.load;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Many custom kinds of the size that operators bring, in groups.
 *
 * @param run sets them apart from those of another run
 */
public record LoadKinds(String run, int count) {

  public static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  public static final String VERSION = "v1";

  private static final int KINDS_A_GROUP = 50;

  private static final String DEFINITION =
      """
      {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"PLURAL.GROUP"},
      "spec":{"group":"GROUP","scope":"Namespaced","names":{"plural":"PLURAL","singular":"SINGULAR","kind":"KIND",
      "listKind":"KINDList"},"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
      "additionalPrinterColumns":[{"name":"Phase","type":"string","jsonPath":".status.phase"},
      {"name":"Replicas","type":"integer","jsonPath":".spec.replicas"}],
      "schema":{"openAPIV3Schema":{"type":"object","description":"KIND runs a number of servers from one template.",
      "required":["spec"],"properties":{"spec":{"type":"object","description":"What is wanted.",
      "required":["replicas","image"],"x-kubernetes-validations":[{"rule":
      "!has(self.maxReplicas) || self.replicas <= self.maxReplicas","message":"replicas are at most maxReplicas"}],
      "properties":{"replicas":{"type":"integer","format":"int32","minimum":0,"maximum":1000,"default":1,
      "description":"How many servers there are to be."},
      "maxReplicas":{"type":"integer","format":"int32","minimum":1,"maximum":1000,
      "description":"How many there may be at the most, whoever asks for them."},
      "image":{"type":"string","minLength":1,"maxLength":255,"pattern":"^[a-z0-9./:@_-]+$",
      "description":"What the servers run, with its tag or its digest."},
      "strategy":{"type":"string","enum":["Recreate","RollingUpdate","OnDelete"],"default":"RollingUpdate",
      "description":"How servers are replaced when the template changes."},
      "paused":{"type":"boolean","description":"Nothing is changed as long as this is set."},
      "nodeSelector":{"type":"object","maxProperties":32,"additionalProperties":{"type":"string","maxLength":63},
      "description":"Labels of the nodes that servers may run on."},
      "ports":{"type":"array","maxItems":16,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
      "description":"Where the servers listen.","items":{"type":"object","required":["name","port"],"properties":{
      "name":{"type":"string","maxLength":15,"pattern":"^[a-z]([-a-z0-9]*[a-z0-9])?$"},
      "port":{"type":"integer","minimum":1,"maximum":65535},
      "protocol":{"type":"string","enum":["TCP","UDP","SCTP"],"default":"TCP"},
      "target":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}}}},
      "storage":{"type":"object","description":"What each server keeps its data in.","properties":{
      "class":{"type":"string","maxLength":253},"size":{"type":"string","pattern":"^[0-9]+(Ki|Mi|Gi|Ti)$"},
      "mounts":{"type":"array","maxItems":8,"items":{"type":"object","required":["path"],"properties":{
      "path":{"type":"string","maxLength":255},"readOnly":{"type":"boolean"},
      "options":{"type":"array","x-kubernetes-list-type":"set","maxItems":8,
      "items":{"type":"string","maxLength":63}}}}}}},
      "settings":{"type":"object","description":"Handed on to the servers as they are.",
      "x-kubernetes-preserve-unknown-fields":true}}},
      "status":{"type":"object","description":"What was last observed.","properties":{
      "phase":{"type":"string","enum":["Pending","Running","Failed"]},
      "readyReplicas":{"type":"integer","format":"int32"},"observedGeneration":{"type":"integer","format":"int64"},
      "conditions":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["type"],
      "items":{"type":"object","required":["type","status"],"properties":{
      "type":{"type":"string","maxLength":316},"status":{"type":"string","enum":["True","False","Unknown"]},
      "reason":{"type":"string","maxLength":1024},"message":{"type":"string","maxLength":32768},
      "lastTransitionTime":{"type":"string","format":"date-time"}}}}}}}}}}]}}
      """;

  private static final String OBJECT =
      """
      {"apiVersion":"GROUP/v1","kind":"KIND","metadata":{"name":"first"},"spec":{"replicas":3,"maxReplicas":5,
      "image":"registry.example.com/server:1.2.3","nodeSelector":{"zone":"a"},
      "ports":[{"name":"http","port":80,"target":"web"}],
      "storage":{"size":"10Gi","mounts":[{"path":"/data","options":["noatime"]}]},"settings":{"level":"high"}}}
      """;

  /** What the names of all its groups end with. */
  public String domain() {
    return run + ".kinds.evenkeel.dev";
  }

  public String group(int index) {
    return "g" + index / KINDS_A_GROUP + "." + domain();
  }

  private static String kind(int index) {
    return "Sample" + index;
  }

  private static String plural(int index) {
    return kind(index).toLowerCase(Locale.ROOT) + "s";
  }

  public byte[] definition(int index) {
    return filled(DEFINITION, index);
  }

  public String definitionPath(int index) {
    return DEFINITIONS + "/" + plural(index) + "." + group(index);
  }

  public String collectionPath(int index, String namespace) {
    return "/apis/"
        + group(index)
        + "/"
        + VERSION
        + "/namespaces/"
        + namespace
        + "/"
        + plural(index);
  }

  /** An object that its kind's schema allows. */
  public byte[] object(int index) {
    return filled(OBJECT, index);
  }

  private byte[] filled(String text, int index) {
    return text.replace("PLURAL", plural(index))
        .replace("SINGULAR", kind(index).toLowerCase(Locale.ROOT))
        .replace("KIND", kind(index))
        .replace("GROUP", group(index))
        .replace("\n", "")
        .getBytes(StandardCharsets.US_ASCII);
  }
}

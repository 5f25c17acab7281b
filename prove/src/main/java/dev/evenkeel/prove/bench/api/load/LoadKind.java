package dev.evenkeel.prove.bench.api.load;

import java.util.Locale;

/** What kind of objects the load is made of. */
public enum LoadKind {
  CONFIGMAP("v1", "ConfigMap", "/api/v1", "configmaps"),
  /** A kind that the benchmark defines, with the fields of a config map. */
  CUSTOM("bench.evenkeel.dev/v1", "Load", "/apis/bench.evenkeel.dev/v1", "loads");

  /** The definition of {@link #CUSTOM}, which a server needs first. */
  public static final String DEFINITION =
      """
      {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
       "metadata":{"name":"loads.bench.evenkeel.dev"},
       "spec":{"group":"bench.evenkeel.dev","scope":"Namespaced","names":{"plural":"loads","kind":"Load"},
       "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
       {"type":"object","properties":{"data":{"type":"object","additionalProperties":{"type":"string"}}}}}}]}}
      """;

  private final String apiVersion;
  private final String kind;
  private final String root;
  private final String plural;

  LoadKind(String apiVersion, String kind, String root, String plural) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.root = root;
    this.plural = plural;
  }

  String head() {
    return "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + kind + "\"";
  }

  public String collectionPath(String namespace) {
    return root + "/namespaces/" + namespace + "/" + plural;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

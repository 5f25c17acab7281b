package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.describe.Dialect.Answer;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the paths of a document, and what can be done at each.
 *
 * <p>Threading: owned by the document's maker.
 */
final class PathWriter {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final Gvk CORE = new Gvk("", "v1", "");

  private static final List<String> ANY_FORMAT = List.of("*/*");

  private static final List<String> PATCHES =
      List.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml");

  private static final List<String> CUSTOM_PATCHES = PATCHES.subList(0, 2);

  private final Dialect dialect;
  private final TypeWriter types;
  private final Form form;
  private final Map<Parameter, ObjectNode> parameters = new EnumMap<>(Parameter.class);
  private final SortedMap<String, byte[]> encoded = new TreeMap<>();

  /** Those of the kind that is being written. */
  private final Map<String, ObjectNode> paths = new HashMap<>();

  PathWriter(Dialect dialect, TypeWriter types, Form form) {
    this.dialect = dialect;
    this.types = types;
    this.form = form;
  }

  /** All paths by name, encoded. */
  SortedMap<String, byte[]> finish() {
    return encoded;
  }

  private void encode() {
    paths.forEach((name, path) -> encoded.put(name, form.path(name, path)));
    paths.clear();
  }

  /** The list of what a group's version has. */
  void discovery(String group, String version) {
    var words = new OperationWords(new Gvk(group, version, ""), "", false);
    index(
        root(group, version) + "/",
        words.tag(),
        "get" + words.groupVersion() + "APIResources",
        "Lists the kinds of this group and version.",
        types.sharedKind("APIResourceList", CORE));
  }

  /** The versions of a group. */
  void group(String group) {
    var words = new OperationWords(new Gvk(group, "", ""), "", false);
    index(
        "/apis/" + group + "/",
        words.groupWord(),
        "get" + OperationWords.capital(words.groupWord()) + "APIGroup",
        "Lists the versions of this group.",
        types.sharedKind("APIGroup", CORE));
  }

  /** The groups. */
  void groups() {
    index(
        "/apis/",
        "apis",
        "getAPIVersions",
        "Lists the groups.",
        types.sharedKind("APIGroupList", CORE));
  }

  /** The versions of the group without a name. */
  void coreVersions() {
    index(
        "/api/",
        "core",
        "getCoreAPIVersions",
        "Lists the versions of the core group.",
        types.sharedKind("APIVersions", CORE));
  }

  /** The server's own version. */
  void serverVersion() {
    index(
        "/version/",
        "version",
        "getCodeVersion",
        "Says which version the server is.",
        types.named("io.k8s.apimachinery.pkg.version.Info"));
  }

  private void index(String path, String tag, String id, String description, String type) {
    ObjectNode operation = NODES.objectNode();
    operation.put("description", description);
    operation.put("operationId", id);
    operation.putArray("tags").add(tag);
    dialect.answers(operation, type, false, List.of(Answer.OK));
    paths.put(path, NODES.objectNode().set("get", operation));
    encode();
  }

  void resource(ResourceDefinition definition) {
    Gvk gvk = definition.gvk();
    String root = root(gvk.group(), gvk.version());
    String plural = definition.plural();
    boolean namespaced = definition.namespaced();
    String place = (namespaced ? "/namespaces/{namespace}/" : "/") + plural;
    var at = new Place(definition, new OperationWords(gvk, gvk.kind(), namespaced), namespaced);
    if (namespaced) {
      everywhere(root, definition);
    }
    collection(root + place, at);
    object(root + place + "/{name}", at);
    if (at.hasWatchPaths()) {
      watch(root + "/watch" + place, at, true);
      watch(root + "/watch" + place + "/{name}", at, false);
    }
    for (ResourceDefinition.Subresource subresource : definition.subresources()) {
      subresource(root + place + "/{name}/" + subresource.name(), at, subresource);
    }
    encode();
  }

  /**
   * Where operations are.
   *
   * @param namespaced whether the path names a namespace
   */
  private record Place(ResourceDefinition definition, OperationWords words, boolean namespaced) {
    boolean can(String verb) {
      return definition.verbs().contains(verb);
    }

    /** Kinds that users define are watched through their lists alone. */
    boolean hasWatchPaths() {
      return can("watch") && !definition.rules().isCustom();
    }

    List<String> patches() {
      return definition.rules().isCustom() ? CUSTOM_PATCHES : PATCHES;
    }
  }

  private static String root(String group, String version) {
    return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
  }

  /** Lists and watches over all namespaces. */
  private void everywhere(String root, ResourceDefinition definition) {
    Gvk gvk = definition.gvk();
    var at = new Place(definition, new OperationWords(gvk, gvk.kind(), false), false);
    String suffix = "ForAllNamespaces";
    if (at.can("list")) {
      ObjectNode path = path(root + "/" + definition.plural(), at, false);
      path.set("get", list(at, suffix));
    }
    if (at.hasWatchPaths()) {
      ObjectNode path = path(root + "/watch/" + definition.plural(), at, false);
      path.set("get", watchOperation(at, "List" + suffix, "watchlist"));
    }
  }

  private void collection(String where, Place at) {
    ObjectNode path = NODES.objectNode();
    String kind = types.kind(at.definition.gvk(), at.definition.schema());
    if (at.can("list")) {
      path.set("get", list(at, ""));
    }
    if (at.can("create")) {
      path.set("post", create(at, kind, ""));
    }
    if (at.can("deletecollection")) {
      ObjectNode operation =
          operation(at, "deletecollection", at.words.id("delete", "Collection", ""));
      parameters(operation, Parameter.OF_DELETE_COLLECTION);
      dialect.body(
          operation, types.sharedKind("DeleteOptions", at.definition.gvk()), false, ANY_FORMAT);
      dialect.answers(operation, types.sharedKind("Status", CORE), false, List.of(Answer.OK));
      path.set("delete", operation);
    }
    place(where, path, at, false);
  }

  private void object(String where, Place at) {
    ObjectNode path = NODES.objectNode();
    String kind = types.kind(at.definition.gvk(), at.definition.schema());
    readAndWrite(path, at, at.definition.verbs(), kind, "");
    if (at.can("delete")) {
      ObjectNode operation = operation(at, "delete", at.words.id("delete", "", ""));
      parameters(operation, Parameter.OF_DELETE);
      dialect.body(
          operation, types.sharedKind("DeleteOptions", at.definition.gvk()), false, ANY_FORMAT);
      dialect.answers(
          operation, types.sharedKind("Status", CORE), false, List.of(Answer.OK, Answer.ACCEPTED));
      path.set("delete", operation);
    }
    // What can only be created has no names to ask for.
    if (!path.isEmpty()) {
      place(where, path, at, true);
    }
  }

  private void subresource(String where, Place main, ResourceDefinition.Subresource subresource) {
    Gvk gvk = subresource.gvk() == null ? main.definition.gvk() : subresource.gvk();
    Schema.Struct type =
        subresource.gvk() == null ? main.definition.schema() : Catalog.type(subresource.gvk());
    if (type == null) {
      throw new IllegalStateException("the catalog lacks the type of " + gvk);
    }
    var at = new Place(main.definition, main.words.of(gvk), main.namespaced);
    ObjectNode path = NODES.objectNode();
    String kind = types.kind(gvk, type);
    String suffix = OperationWords.capital(subresource.name());
    if (subresource.verbs().contains("create")) {
      path.set("post", create(at, kind, suffix));
    }
    readAndWrite(path, at, subresource.verbs(), kind, suffix);
    place(where, path, at, true);
  }

  private void readAndWrite(
      ObjectNode path, Place at, Set<String> verbs, String kind, String suffix) {
    if (verbs.contains("get")) {
      ObjectNode operation = operation(at, "get", at.words.id("read", "", suffix));
      dialect.answers(operation, kind, false, List.of(Answer.OK));
      path.set("get", operation);
    }
    if (verbs.contains("update")) {
      ObjectNode operation = operation(at, "put", at.words.id("replace", "", suffix));
      parameters(operation, Parameter.OF_WRITE);
      dialect.body(operation, kind, true, ANY_FORMAT);
      dialect.answers(operation, kind, false, List.of(Answer.OK, Answer.CREATED));
      path.set("put", operation);
    }
    if (verbs.contains("patch")) {
      ObjectNode operation = operation(at, "patch", at.words.id("patch", "", suffix));
      parameters(operation, Parameter.OF_PATCH);
      dialect.body(operation, types.shared("Patch"), true, at.patches());
      dialect.answers(operation, kind, false, List.of(Answer.OK, Answer.CREATED));
      path.set("patch", operation);
    }
  }

  private ObjectNode create(Place at, String kind, String suffix) {
    ObjectNode operation = operation(at, "post", at.words.id("create", "", suffix));
    parameters(operation, Parameter.OF_WRITE);
    dialect.body(operation, kind, true, ANY_FORMAT);
    dialect.answers(operation, kind, false, List.of(Answer.OK, Answer.CREATED, Answer.ACCEPTED));
    return operation;
  }

  private ObjectNode list(Place at, String suffix) {
    ObjectNode operation = operation(at, "list", at.words.id("list", "", suffix));
    parameters(operation, Parameter.OF_LIST);
    dialect.answers(operation, types.list(at.definition), true, List.of(Answer.OK));
    return operation;
  }

  private void watch(String where, Place at, boolean collection) {
    ObjectNode path = path(where, at, !collection);
    path.set(
        "get", watchOperation(at, collection ? "List" : "", collection ? "watchlist" : "watch"));
  }

  private ObjectNode watchOperation(Place at, String suffix, String action) {
    ObjectNode operation = operation(at, action, at.words.id("watch", "", suffix));
    operation.put("deprecated", true);
    parameters(operation, Parameter.OF_LIST);
    dialect.answers(
        operation, types.sharedKind("WatchEvent", at.definition.gvk()), true, List.of(Answer.OK));
    return operation;
  }

  private static ObjectNode operation(Place at, String action, String id) {
    ObjectNode operation = NODES.objectNode();
    operation.putArray("tags").add(at.words.tag());
    operation.put("operationId", id);
    operation.put("x-kubernetes-action", action);
    operation.set("x-kubernetes-group-version-kind", TypeWriter.kindReference(at.words.gvk()));
    return operation;
  }

  private void parameters(ObjectNode json, List<Parameter> some) {
    ArrayNode all = json.withArray("parameters");
    for (Parameter parameter : some) {
      all.add(parameters.computeIfAbsent(parameter, dialect::parameter));
    }
  }

  private ObjectNode path(String where, Place at, boolean named) {
    ObjectNode path = NODES.objectNode();
    place(where, path, at, named);
    return path;
  }

  /** Adds the path with the parameters that all its operations share. */
  private void place(String where, ObjectNode path, Place at, boolean named) {
    if (named) {
      parameters(path, List.of(Parameter.NAME));
    }
    if (at.namespaced) {
      parameters(path, List.of(Parameter.NAMESPACE));
    }
    parameters(path, List.of(Parameter.PRETTY));
    paths.put(where, path);
  }
}

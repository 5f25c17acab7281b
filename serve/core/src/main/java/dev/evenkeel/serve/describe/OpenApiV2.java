package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.resource.Served;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The document of OpenAPI 2: one for all kinds, for clients that know no better.
 *
 * @param builtIn what the server itself brings
 * @param custom the custom kinds, by group and version
 */
/*
 * With many custom kinds it has tens of megabytes, and a new kind must not cost all of them again.
 * So it consists of parts that are kept compressed: a change makes one of them anew, and the rest is
 * a copy of bytes. What tells of all groups is small, and written each time.
 */
record OpenApiV2(Part builtIn, Map<GroupVersion, Part> custom, Document document) {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Types that list all groups. */
  private static final Set<String> OF_ALL_GROUPS =
      Set.of(
          TypeWriter.META + "APIGroup",
          TypeWriter.META + "APIGroupList",
          TypeWriter.META + "APIResourceList",
          TypeWriter.META + "APIVersions",
          TypeWriter.META + "DeleteOptions",
          TypeWriter.META + "Status",
          TypeWriter.META + "WatchEvent");

  record GroupVersion(String group, String version) implements Comparable<GroupVersion> {

    static GroupVersion of(Served served) {
      return new GroupVersion(served.group(), served.gvk().version());
    }

    @Override
    public int compareTo(GroupVersion other) {
      int byGroup = group.compareTo(other.group);
      return byGroup != 0 ? byGroup : version.compareTo(other.version);
    }
  }

  /**
   * Some kinds.
   *
   * @param kinds what it was made from
   * @param typeNames of what is in {@code types}
   * @param sharedKinds what has to be told of in the types of all groups
   */
  record Part(
      List<Served> kinds, Chunk paths, Chunk types, Set<String> typeNames, List<Gvk> sharedKinds) {

    boolean isOf(List<Served> others) {
      return kinds.equals(others);
    }
  }

  /** Makes the document, except for the parts whose kinds are still the same. */
  static OpenApiV2 make(
      Form form, List<Served> table, @Nullable OpenApiV2 before, String serverVersion) {
    Map<Boolean, List<Served>> byOrigin =
        table.stream()
            .collect(Collectors.partitioningBy(kind -> kind.definition().rules().isCustom()));
    List<Served> ours = byOrigin.getOrDefault(false, List.of());
    Set<GroupVersion> versions = new LinkedHashSet<>();
    ours.forEach(served -> versions.add(GroupVersion.of(served)));
    Descriptions words = Descriptions.read();
    Part builtIn =
        before != null && before.builtIn.isOf(ours)
            ? before.builtIn
            : part(form, words, ours, versions, OF_ALL_GROUPS, OpenApiV2::indexes);

    Map<GroupVersion, List<Served>> groups = new TreeMap<>();
    for (Served served : byOrigin.getOrDefault(true, List.of())) {
      groups.computeIfAbsent(GroupVersion.of(served), _ -> new ArrayList<>()).add(served);
    }
    Set<String> elsewhere = new LinkedHashSet<>(OF_ALL_GROUPS);
    elsewhere.addAll(builtIn.typeNames);
    Map<GroupVersion, Part> custom = new TreeMap<>();
    groups.forEach(
        (version, kinds) -> {
          Part known = before == null ? null : before.custom.get(version);
          custom.put(
              version,
              known != null && known.isOf(kinds)
                  ? known
                  : part(form, words, List.copyOf(kinds), Set.of(), elsewhere, (_, _) -> {}));
        });
    return new OpenApiV2(
        builtIn, custom, document(form, words, builtIn, custom.values(), serverVersion));
  }

  private static Part part(
      Form form,
      Descriptions words,
      List<Served> kinds,
      Set<GroupVersion> versions,
      Set<String> elsewhere,
      BiConsumer<PathWriter, Set<GroupVersion>> more) {
    var types = new TypeWriter(Dialect.V2, words, form, elsewhere);
    var paths = new PathWriter(Dialect.V2, types, form);
    kinds.forEach(served -> paths.resource(served.definition()));
    versions.forEach(version -> paths.discovery(version.group, version.version));
    more.accept(paths, versions);
    Map<String, byte[]> written = types.finish();
    return new Part(
        kinds,
        form.inARow(paths.finish().values()),
        form.inARow(written.values()),
        Set.copyOf(written.keySet()),
        types.sharedKinds());
  }

  /** What tells of the server and of its groups. */
  private static void indexes(PathWriter paths, Set<GroupVersion> versions) {
    paths.serverVersion();
    paths.coreVersions();
    paths.groups();
    versions.stream()
        .map(GroupVersion::group)
        .filter(group -> !group.isEmpty())
        .distinct()
        .forEach(paths::group);
  }

  private static Document document(
      Form form, Descriptions words, Part builtIn, Collection<Part> custom, String serverVersion) {
    var shared = new TypeWriter(Dialect.V2, words, form, builtIn.typeNames);
    builtIn.sharedKinds.forEach(kind -> shared.sharedKind(kind.kind(), kind));
    List<Chunk> paths = new ArrayList<>(List.of(builtIn.paths));
    List<Chunk> types = new ArrayList<>(List.of(builtIn.types));
    for (Part part : custom) {
      part.sharedKinds.forEach(kind -> shared.sharedKind(kind.kind(), kind));
      paths.add(part.paths);
      types.add(part.types);
    }
    types.add(form.inARow(shared.finish().values()));
    ObjectNode head = NODES.objectNode().put("swagger", "2.0");
    head.putObject("info").put("title", "Evenkeel").put("version", serverVersion);
    ObjectNode tail = NODES.objectNode();
    tail.putObject("securityDefinitions").set("BearerToken", Dialect.bearerToken());
    return Document.of(form.document(head, paths, types, tail));
  }
}

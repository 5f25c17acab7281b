package dev.evenkeel.serve.policy;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.policy.Asked;
import dev.evenkeel.serve.kinds.policy.Binding;
import dev.evenkeel.serve.kinds.policy.Matching;
import dev.evenkeel.serve.kinds.policy.Policy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds out which policies a write is to be held against, with which parameters. Used for one
 * write; it looks at the object as it is when it is asked.
 */
public final class Selection {

  private final World world;
  private final AdmissionRequest request;
  private final Asked asked;
  private final List<Asked> equivalents;
  private final @Nullable ObjectNode namespace;

  public Selection(World world, AdmissionRequest request) {
    this.world = world;
    this.request = request;
    ResourceDefinition kind = request.definition();
    ObjectNode object = request.object();
    String name = request.name().isEmpty() && object != null ? Meta.name(object) : request.name();
    this.asked =
        new Asked(
            request.operation().name(),
            kind.group(),
            kind.gvk().version(),
            kind.plural(),
            request.subresource(),
            isNamespace(kind) ? name : request.namespace(),
            name);
    this.equivalents = equivalents(world, kind, asked);
    this.namespace = namespace();
  }

  /** A namespace is taken to be in itself, as upstream has it. */
  private static boolean isNamespace(ResourceDefinition kind) {
    return kind.group().isEmpty() && kind.plural().equals("namespaces");
  }

  /** The same write in the other versions of the kind. */
  public static List<Asked> equivalents(World world, ResourceDefinition kind, Asked asked) {
    List<Asked> others = new ArrayList<>(0);
    for (ResourceDefinition version : world.versions(kind)) {
      if (!version.gvk().equals(kind.gvk())) {
        others.add(asked.in(version.group(), version.gvk().version(), version.plural()));
      }
    }
    return others;
  }

  /** The write as rules see it. */
  public Asked asked() {
    return asked;
  }

  private @Nullable ObjectNode namespace() {
    if (request.namespace().isEmpty() || asked.isNamespace()) {
      return null;
    }
    CachedObject found = request.views().of(Resource.core("namespaces")).get(request.namespace());
    return found == null ? null : Json.parseObject(found.json());
  }

  /** What could not be looked for, for the policy's failure rule to decide about. */
  static final class Misconfigured extends Exception {
    private static final long serialVersionUID = 1;

    Misconfigured(String message) {
      super(message, null, false, false);
    }

    String text() {
      return String.valueOf(getMessage());
    }
  }

  /** The version in which the policy wants to see the object; null if it is not about it. */
  public @Nullable ResourceDefinition version(Policy policy) {
    Asked matched = match(policy.matching());
    if (matched == null) {
      return null;
    }
    if (matched.equals(asked)) {
      return request.definition();
    }
    for (ResourceDefinition version : world.versions(request.definition())) {
      if (version.group().equals(matched.group())
          && version.gvk().version().equals(matched.version())) {
        return version;
      }
    }
    return request.definition();
  }

  boolean isAbout(Binding binding) {
    return match(binding.matching()) != null;
  }

  private @Nullable Asked match(Matching matching) {
    return matchesNamespace(matching) && matching.matchesObject(request.object(), request.old())
        ? matching.match(asked, equivalents)
        : null;
  }

  private boolean matchesNamespace(Matching matching) {
    if (!matching.looksAtNamespaces()) {
      return true;
    }
    if (asked.isNamespace()) {
      ObjectNode object = request.object() != null ? request.object() : request.old();
      return object != null && matching.matchesNamespace(Meta.labels(object));
    }
    if (request.namespace().isEmpty()) {
      return true;
    }
    Map<String, String> labels = namespace == null ? Map.of() : Meta.labels(namespace);
    return matching.matchesNamespace(labels);
  }

  /**
   * The parameters to evaluate with, each by itself; one null if it goes without.
   *
   * @throws Misconfigured if there have to be some and are none
   */
  List<@Nullable ObjectNode> parameters(Policy policy, Binding binding) throws Misconfigured {
    Gvk gvk = policy.parameters();
    Binding.Parameters reference = binding.parameters();
    if (gvk == null) {
      return Collections.singletonList(null);
    }
    ResourceDefinition kind = world.kind(gvk);
    if (kind == null) {
      throw new Misconfigured(
          "failed to find resource referenced by paramKind: '"
              + gvk.apiVersion()
              + ", Kind="
              + gvk.kind()
              + "'");
    }
    if (reference == null) {
      return Collections.singletonList(null);
    }
    List<@Nullable ObjectNode> found = found(kind, reference);
    if (found.isEmpty() && reference.deniesWithout()) {
      throw new Misconfigured(
          "no params found for policy binding with `Deny` parameterNotFoundAction");
    }
    return found;
  }

  private List<@Nullable ObjectNode> found(ResourceDefinition kind, Binding.Parameters reference)
      throws Misconfigured {
    if (!kind.namespaced() && !reference.namespace().isEmpty()) {
      throw new Misconfigured(
          "paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
    }
    String in = "";
    if (kind.namespaced()) {
      in = reference.namespace().isEmpty() ? asked.namespace() : reference.namespace();
      if (in.isEmpty()) {
        throw new Misconfigured(
            "cannot use namespaced paramRef in policy binding that matches cluster-scoped"
                + " resources");
      }
      in += "/";
    }
    SortedTree<CachedObject> tree = request.views().of(new Resource(kind.group(), kind.plural()));
    List<@Nullable ObjectNode> found = new ArrayList<>();
    if (reference.selector() == null) {
      CachedObject object = tree.get(in + reference.name());
      if (object != null) {
        found.add(world.shown(kind, object));
      }
      return found;
    }
    SortedTree.Walk<CachedObject> walk = tree.from(in);
    CachedObject object;
    while ((object = walk.next()) != null && object.key().startsWith(in)) {
      if (reference.selector().matches(object.labels())) {
        found.add(world.shown(kind, object));
      }
    }
    return found;
  }

  /**
   * Whether the conditions of a policy without parameters are met.
   *
   * @param kind the version that it asked for
   * @return null if they are; empty if not; else why that cannot be said
   */
  public @Nullable String refusalOfConditions(Policy policy, ResourceDefinition kind) {
    return policy.matchConditions().isEmpty()
        ? null
        : invocation(policy, kind, null).refusalOfConditions();
  }

  Invocation invocation(Policy policy, ResourceDefinition kind, @Nullable ObjectNode parameters) {
    return new Invocation(world, policy, request, asked, kind, parameters, namespace);
  }
}

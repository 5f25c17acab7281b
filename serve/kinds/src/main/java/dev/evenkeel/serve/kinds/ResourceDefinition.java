package dev.evenkeel.serve.kinds;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.schema.Schema;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One kind in one version: everything the server knows about it.
 *
 * @param gvk group, version and kind as served
 * @param names the words for it in paths and on command lines
 * @param namespaced whether its objects live in namespaces
 * @param verbs what can be done with the main resource; of {@code create}, {@code get}, {@code
 *     list}, {@code watch}, {@code update}, {@code patch}, {@code delete}, {@code deletecollection}
 * @param subresources in the order discovery lists them
 * @param schema the type of its objects, with apiVersion, kind and metadata
 * @param rules what a schema cannot say
 * @param table its columns and how an object fills them
 * @param selectableFields paths that field selectors may name beyond metadata.name and
 *     metadata.namespace, for example {@code spec.nodeName}
 * @param storage where its objects are kept; several versions of a kind share one
 * @param traits what is not the same with all kinds
 */
public record ResourceDefinition(
    Gvk gvk,
    Names names,
    boolean namespaced,
    Set<String> verbs,
    List<Subresource> subresources,
    Schema.Struct schema,
    KindRules rules,
    TablePrinter table,
    List<String> selectableFields,
    Storage storage,
    Traits traits) {

  public ResourceDefinition {
    verbs = Set.copyOf(verbs);
    subresources = List.copyOf(subresources);
    selectableFields = List.copyOf(selectableFields);
  }

  /**
   * What is not the same with all kinds.
   *
   * @param specHasGeneration whether metadata.generation counts changes of the spec
   * @param putCreates whether an update of an object that does not exist makes it
   * @param convertsOnRead whether stored objects may lack what the version has by now, so that even
   *     those of the stored version go through the conversion when they are read
   */
  public record Traits(boolean specHasGeneration, boolean putCreates, boolean convertsOnRead) {}

  public boolean specHasGeneration() {
    return traits.specHasGeneration();
  }

  public boolean putCreates() {
    return traits.putCreates();
  }

  /** The words for a kind. */
  public record Names(
      String plural,
      String singular,
      String listKind,
      List<String> shortNames,
      List<String> categories) {
    public Names {
      shortNames = List.copyOf(shortNames);
      categories = List.copyOf(categories);
    }
  }

  /**
   * A subresource.
   *
   * @param name {@code status}, {@code scale}, {@code binding}, {@code finalize}, {@code approval},
   *     {@code eviction}, {@code token}, …
   * @param gvk the kind that is read and written there, null for the kind itself
   */
  public record Subresource(String name, @Nullable Gvk gvk, Set<String> verbs) {
    public Subresource {
      verbs = Set.copyOf(verbs);
    }
  }

  /**
   * Where objects are kept, and in which version.
   *
   * @param group the group in the store's keys; empty for core
   * @param resource the plural in the store's keys
   * @param version the version objects are stored in
   * @param conversion between this definition's version and the stored one
   */
  public record Storage(String group, String resource, Gvk version, Conversion conversion) {}

  public boolean hasSubresource(String name) {
    return subresource(name) != null;
  }

  public @Nullable Subresource subresource(String name) {
    for (Subresource subresource : subresources) {
      if (subresource.name().equals(name)) {
        return subresource;
      }
    }
    return null;
  }

  public String group() {
    return gvk.group();
  }

  public String plural() {
    return names.plural();
  }

  /** Whether stored objects are served as they are. */
  public boolean servesStoredVersion() {
    return !traits.convertsOnRead() && storage.version().equals(gvk);
  }
}

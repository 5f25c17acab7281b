package dev.evenkeel.serve.rights;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.selector.FieldSelector;
import dev.evenkeel.kernel.selector.LabelRequirement;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.serve.caller.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to do. What does not apply is empty.
 *
 * @param path of what is no resource; null for resources
 * @param fields what a list, watch or deletecollection is limited to, as far as it could be read
 * @param labels likewise
 */
public record Attributes(
    String user,
    List<String> groups,
    String verb,
    String group,
    String resource,
    String subresource,
    String namespace,
    String name,
    @Nullable String path,
    List<FieldSelector.Requirement> fields,
    List<LabelRequirement> labels) {

  /** About a resource, of all objects if the name is empty. */
  public static Attributes ofResource(
      Caller caller,
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {
    return new Attributes(
        caller.name(),
        caller.groups(),
        verb,
        group,
        resource,
        subresource,
        namespace,
        name,
        null,
        List.of(),
        List.of());
  }

  /** About what is no resource. */
  public static Attributes ofPath(Caller caller, String verb, String path) {
    return new Attributes(
        caller.name(), caller.groups(), verb, "", "", "", "", "", path, List.of(), List.of());
  }

  /** The same, limited to what selectors select. */
  public Attributes selecting(
      List<FieldSelector.Requirement> onFields, List<LabelRequirement> onLabels) {
    return new Attributes(
        user,
        groups,
        verb,
        group,
        resource,
        subresource,
        namespace,
        name,
        path,
        onFields,
        onLabels);
  }

  /** The same, limited by selectors as they are written; one that cannot be read limits nothing. */
  public Attributes selecting(String onFields, String onLabels) {
    if (onFields.isEmpty() && onLabels.isEmpty()) {
      return this;
    }
    FieldSelector readFields = fieldSelector(onFields);
    LabelSelector readLabels = labelSelector(onLabels);
    return selecting(
        readFields == null ? List.of() : readFields.requirements(),
        readLabels == null ? List.of() : readLabels.requirements());
  }

  /** Null if it cannot be read. */
  public static @Nullable FieldSelector fieldSelector(String text) {
    try {
      return FieldSelector.parse(text);
    } catch (ApiException e) {
      return null;
    }
  }

  /** Null if it cannot be read. */
  public static @Nullable LabelSelector labelSelector(String text) {
    try {
      return LabelSelector.parse(text);
    } catch (ApiException e) {
      return null;
    }
  }

  Attributes named(String other) {
    return new Attributes(
        user, groups, verb, group, resource, subresource, namespace, other, path, fields, labels);
  }

  /** Whether it is about a resource, and not about a path. */
  public boolean isResource() {
    return path == null;
  }

  boolean isMaster() {
    return groups.contains(Caller.MASTERS);
  }

  /** As rules name it: {@code pods} or {@code pods/log}. */
  String resourcePath() {
    return subresource.isEmpty() ? resource : resource + "/" + subresource;
  }
}

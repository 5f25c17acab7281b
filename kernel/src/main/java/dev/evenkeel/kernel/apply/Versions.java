package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.schema.Schema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A kind in all the versions that its managers may speak. */
public interface Versions {

  /**
   * A kind in one version.
   *
   * @param schema of its objects
   * @param zero what every object of it has, whether it says so or not
   * @param reset what this way of writing does not write, so that nobody comes to own it by it
   */
  record Version(String apiVersion, Schema.Struct schema, ObjectNode zero, FieldSet reset) {}

  /** The version, null if it is not served any more. */
  @Nullable Version at(String apiVersion);

  /** The object in another version that is served; the given one is not changed. */
  ObjectNode convert(ObjectNode object, String from, String to);

  /** What a version is called where conflicts are told. */
  default String printed(String apiVersion) {
    return apiVersion;
  }
}

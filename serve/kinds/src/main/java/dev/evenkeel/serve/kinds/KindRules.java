package dev.evenkeel.serve.kinds;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.schema.Shape;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a kind's schema cannot say. Pure: an implementation looks at what it is given and changes
 * nothing else. Trees have passed the schema: a field that is there has its type, unknown fields
 * are gone, static defaults are filled in. The schema's own checks (required, choices, ranges) have
 * run too, so these are only about what is left.
 */
public interface KindRules {

  /** For kinds whose schema says it all. */
  KindRules NONE = new KindRules() {};

  /**
   * Whether users defined the kind. Its schema says all there is to say of its defaults and values,
   * by rules of its own, and strategic merge patches do not know it.
   */
  default boolean isCustom() {
    return false;
  }

  /** Brings a decoded object into the shape of its type. */
  default Shape.Report shape(ObjectNode object, Schema.Struct type) {
    return Shape.apply(object, type);
  }

  /** Fills in what depends on other fields. */
  default void applyDefaults(ObjectNode object) {}

  /**
   * What the server decides for a new object: clears what users may not set, starts the status.
   * Defaults have been filled in.
   */
  default void prepareForCreate(ObjectNode object) {}

  /** What a new object says of whoever creates it, whatever they say themselves. */
  default void prepareForCaller(ObjectNode object, String user, List<String> groups) {}

  /** What an update of the main resource may not touch is taken from the old object. */
  default void prepareForUpdate(ObjectNode object, ObjectNode old) {}

  /**
   * What an update through a subresource of its own may not touch is taken from the old object, so
   * that a client need not send it.
   */
  default void prepareForSubresourceUpdate(String subresource, ObjectNode object, ObjectNode old) {}

  /**
   * What the server says in a status that is written, through whichever subresource.
   *
   * @param now the time, as the wire has it
   */
  default void prepareForStatusUpdate(ObjectNode object, ObjectNode old, String now) {}

  /** What the server decides for an object when its deletion begins: who must agree to it. */
  default void prepareForDelete(ObjectNode object) {}

  /** What is wrong with the object, by itself. */
  default void validate(ObjectNode object, Problems problems) {}

  /** What is wrong with it as a new object. {@link #validate} runs as well. */
  default void validateCreate(ObjectNode object, Problems problems) {}

  /** What is wrong with the change: immutable fields above all. {@link #validate} runs as well. */
  default void validateUpdate(ObjectNode object, ObjectNode old, Problems problems) {}

  /** What is wrong with a new status. */
  default void validateStatusUpdate(ObjectNode object, ObjectNode old, Problems problems) {}

  /**
   * What is wrong with a change that came through a subresource of its own, such as {@code
   * finalize}, {@code approval} or {@code ephemeralcontainers}. {@link #validate} runs as well.
   */
  default void validateSubresourceUpdate(
      String subresource, ObjectNode object, ObjectNode old, Problems problems) {}

  /** What the user should know though it is accepted. Sent as Warning headers. */
  default List<String> warnings(ObjectNode object) {
    return List.of();
  }

  /** The same of a change, for kinds that do not say again what was said before. */
  default List<String> warnings(ObjectNode object, ObjectNode old) {
    return warnings(object);
  }

  /** What is said to all who use this version of the kind; empty if there is nothing to say. */
  default String deprecation() {
    return "";
  }

  /**
   * Annotations that stand for fields of the spec: who asks for metadata alone is not shown them.
   */
  default List<String> annotationsOfSpec() {
    return List.of();
  }

  /** Whether a finalizer that is none of Kubernetes' own must name a domain and a path. */
  default boolean finalizersNeedPath() {
    return true;
  }

  /** Whether the generation grows with a change of labels too. */
  default boolean generationCountsLabels() {
    return false;
  }

  /** How the name is checked. */
  default NameRule nameRule() {
    return NameRule.DNS_SUBDOMAIN;
  }

  /** What a name may be. */
  enum NameRule {
    /** Lower case, digits, {@code -} and {@code .}, at most 253. */
    DNS_SUBDOMAIN,
    /** Lower case, digits and {@code -}, at most 63. */
    DNS_LABEL,
    /** A DNS label that begins with a letter. */
    DNS_1035_LABEL,
    /** Whatever fits into one segment of a path: RBAC's names. */
    PATH_SEGMENT
  }

  /** Where the subresource scale finds what it shows. */
  default ScalePaths scalePaths() {
    return ScalePaths.COMMON;
  }

  /**
   * Where the numbers of replicas stand.
   *
   * @param selector where the selector of the replicas is, empty if nowhere
   * @param selectorIsText whether it is written as text, not as an object
   */
  record ScalePaths(String wanted, String actual, String selector, boolean selectorIsText) {
    public static final ScalePaths COMMON =
        new ScalePaths("spec.replicas", "status.replicas", "spec.selector", false);
  }

  /** Seconds of grace when a delete names none; 0 deletes at once. */
  default long deletionGraceSeconds(ObjectNode object) {
    return 0;
  }
}

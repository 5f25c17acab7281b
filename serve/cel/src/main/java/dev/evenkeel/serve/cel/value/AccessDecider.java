package dev.evenkeel.serve.cel.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who answers the checks that an expression makes, and the values those checks are made of. */
public interface AccessDecider {

  String PACKAGE = "kubernetes.authorization.";

  Decision decide(Check check, String verb);

  /** Somebody by name. */
  record Principal(String name, List<String> groups) {}

  /** What can be asked with a verb. */
  sealed interface Check extends Opaque {

    Authorizer authorizer();
  }

  /**
   * Whoever is to be asked about.
   *
   * @param user null for the one whose request it is
   */
  record Authorizer(AccessDecider authority, @Nullable Principal user) implements Opaque {

    public static final String TYPE = PACKAGE + "Authorizer";

    @Override
    public String typeName() {
      return TYPE;
    }
  }

  /** A path that is no resource. */
  record PathCheck(Authorizer authorizer, String path) implements Check {

    public static final String TYPE = PACKAGE + "PathCheck";

    @Override
    public String typeName() {
      return TYPE;
    }
  }

  /** A group of the API. */
  record GroupCheck(Authorizer authorizer, String group) implements Opaque {

    public static final String TYPE = PACKAGE + "GroupCheck";

    @Override
    public String typeName() {
      return TYPE;
    }

    public ResourceCheck resource(String resource) {
      return new ResourceCheck(authorizer, group, resource, "", "", "", "", "");
    }
  }

  /** A resource, or one of its objects; what does not matter is empty. */
  record ResourceCheck(
      Authorizer authorizer,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name,
      String labelSelector,
      String fieldSelector)
      implements Check {

    public static final String TYPE = PACKAGE + "ResourceCheck";

    @Override
    public String typeName() {
      return TYPE;
    }

    public ResourceCheck withSubresource(String changed) {
      return new ResourceCheck(
          authorizer, group, resource, changed, namespace, name, labelSelector, fieldSelector);
    }

    public ResourceCheck withNamespace(String changed) {
      return new ResourceCheck(
          authorizer, group, resource, subresource, changed, name, labelSelector, fieldSelector);
    }

    public ResourceCheck withName(String changed) {
      return new ResourceCheck(
          authorizer,
          group,
          resource,
          subresource,
          namespace,
          changed,
          labelSelector,
          fieldSelector);
    }

    public ResourceCheck withLabelSelector(String changed) {
      return new ResourceCheck(
          authorizer, group, resource, subresource, namespace, name, changed, fieldSelector);
    }

    public ResourceCheck withFieldSelector(String changed) {
      return new ResourceCheck(
          authorizer, group, resource, subresource, namespace, name, labelSelector, changed);
    }
  }

  /**
   * What came of a check.
   *
   * @param error empty if it went well
   */
  record Decision(boolean allowed, String reason, String error, boolean errored) implements Opaque {

    public static final String TYPE = PACKAGE + "Decision";

    @Override
    public String typeName() {
      return TYPE;
    }
  }
}

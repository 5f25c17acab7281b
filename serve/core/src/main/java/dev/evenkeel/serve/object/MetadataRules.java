package dev.evenkeel.serve.object;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.TextFormat;
import dev.evenkeel.serve.kinds.KindRules;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What metadata may look like, for every kind. */
public final class MetadataRules {

  private static final int SUBDOMAIN_CHARS_MAX = 253;
  private static final int LABEL_CHARS_MAX = 63;
  private static final int ANNOTATION_BYTES_MAX = 256 * 1024;

  private static final String LABEL_WORDS =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
          + " must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
          + " regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  private static final String LABEL_1035_WORDS =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
          + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or"
          + " 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
  private static final String SUBDOMAIN_WORDS =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
          + " regex used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  private static final String VALUE_WORDS =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
          + " 'my_value',  or '12345', regex used for validation is"
          + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

  private static final Set<String> STANDARD_FINALIZERS =
      Set.of("orphan", "foregroundDeletion", "kubernetes");

  private static final String[] OWNER_PARTS = {"kind", "name", "uid"};

  private MetadataRules() {}

  static void validate(ObjectNode object, KindRules rules, boolean namespaced, Problems problems) {
    JsonNode metadata = object.path("metadata");
    String base = Meta.text(metadata.path("generateName"));
    if (!base.isEmpty()) {
      generateName(base, rules.nameRule(), problems);
    }
    String name = Meta.text(metadata.path("name"));
    if (name.isEmpty()) {
      problems.required("metadata.name", "name or generateName is required");
    } else {
      name("metadata.name", name, name, rules.nameRule(), problems);
    }
    String namespace = Meta.text(metadata.path("namespace"));
    if (namespaced && namespace.isEmpty()) {
      problems.required("metadata.namespace", "");
    } else if (namespaced) {
      label("metadata.namespace", namespace, problems);
    } else if (!namespace.isEmpty()) {
      problems.forbidden("metadata.namespace", "not allowed on this type");
    }
    long generation = metadata.path("generation").asLong(0);
    if (generation < 0) {
      problems.invalid(
          "metadata.generation", metadata.path("generation"), "must be greater than or equal to 0");
    }
    labels(metadata.path("labels"), problems);
    annotations(metadata.path("annotations"), problems);
    owners(metadata.path("ownerReferences"), problems);
    finalizers(metadata.path("finalizers"), rules.finalizersNeedPath(), problems);
  }

  /**
   * The beginning of names. It may end in a dash, because something follows: upstream judges it
   * with its last two characters replaced by a letter.
   */
  private static void generateName(String base, KindRules.NameRule rule, Problems problems) {
    boolean masked =
        rule != KindRules.NameRule.PATH_SEGMENT && base.length() > 1 && base.endsWith("-");
    String judged = masked ? base.substring(0, base.length() - 2) + "a" : base;
    name("metadata.generateName", base, judged, rule, problems);
  }

  /**
   * @param shown the value to name in an error
   * @param judged what must follow the rule
   */
  private static void name(
      String field, String shown, String judged, KindRules.NameRule rule, Problems problems) {
    switch (rule) {
      case DNS_LABEL -> label(field, shown, judged, problems);
      case DNS_1035_LABEL -> {
        tooLong(field, shown, judged, LABEL_CHARS_MAX, problems);
        if (!NameShape.isLabel1035(judged)) {
          problems.invalid(field, shown, LABEL_1035_WORDS);
        }
      }
      case DNS_SUBDOMAIN -> {
        tooLong(field, shown, judged, SUBDOMAIN_CHARS_MAX, problems);
        if (!NameShape.isSubdomain(judged)) {
          problems.invalid(field, shown, SUBDOMAIN_WORDS);
        }
      }
      case PATH_SEGMENT -> {
        if (field.equals("metadata.name") && (judged.equals(".") || judged.equals(".."))) {
          problems.invalid(field, shown, "may not be '" + judged + "'");
        }
        if (judged.contains("/") || judged.contains("%")) {
          problems.invalid(
              field, shown, "may not contain '" + (judged.contains("/") ? "/" : "%") + "'");
        }
      }
    }
  }

  private static void label(String field, String value, Problems problems) {
    label(field, value, value, problems);
  }

  private static void label(String field, String shown, String judged, Problems problems) {
    tooLong(field, shown, judged, LABEL_CHARS_MAX, problems);
    if (!NameShape.isLabel(judged)) {
      problems.invalid(field, shown, LABEL_WORDS);
    }
  }

  private static void tooLong(String field, String value, int max, Problems problems) {
    tooLong(field, value, value, max, problems);
  }

  private static void tooLong(
      String field, String shown, String judged, int max, Problems problems) {
    if (judged.length() > max) {
      problems.invalid(field, shown, "must be no more than " + max + " characters");
    }
  }

  private static void labels(JsonNode labels, Problems problems) {
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      qualifiedName("metadata.labels", label.getKey(), problems);
      String value = Meta.text(label.getValue());
      tooLong("metadata.labels", value, LABEL_CHARS_MAX, problems);
      if (!value.isEmpty() && !NameShape.isQualified(value)) {
        problems.invalid("metadata.labels", value, VALUE_WORDS);
      }
    }
  }

  private static void qualifiedName(String field, String key, Problems problems) {
    for (String problem : TextFormat.QUALIFIED_NAME.problems(key)) {
      problems.invalid(field, key, problem);
    }
  }

  public static void annotations(JsonNode annotations, Problems problems) {
    long bytes = 0;
    for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
      qualifiedName(
          "metadata.annotations", annotation.getKey().toLowerCase(java.util.Locale.ROOT), problems);
      bytes += annotation.getKey().getBytes(StandardCharsets.UTF_8).length;
      bytes += Meta.text(annotation.getValue()).getBytes(StandardCharsets.UTF_8).length;
    }
    if (bytes > ANNOTATION_BYTES_MAX) {
      problems.tooLong("metadata.annotations", ANNOTATION_BYTES_MAX);
    }
  }

  private static void finalizers(JsonNode finalizers, boolean needPath, Problems problems) {
    boolean orphan = false;
    boolean foreground = false;
    for (JsonNode finalizer : finalizers) {
      String name = Meta.text(finalizer);
      orphan |= name.equals("orphan");
      foreground |= name.equals("foregroundDeletion");
      qualifiedName("metadata.finalizers", name, problems);
      if (needPath && name.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(name)) {
        problems.invalid(
            "metadata.finalizers",
            name,
            "name is neither a standard finalizer name nor is it fully qualified");
      }
    }
    if (orphan && foreground) {
      problems.invalid(
          "metadata.finalizers",
          finalizers,
          "finalizer orphan and foregroundDeletion cannot be both set");
    }
  }

  private static void owners(JsonNode owners, Problems problems) {
    String field = "metadata.ownerReferences";
    String controller = "";
    for (JsonNode owner : owners) {
      String apiVersion = Meta.text(owner.path("apiVersion"));
      String kind = Meta.text(owner.path("kind"));
      if (Gvk.of(apiVersion, kind).version().isEmpty()) {
        problems.invalid(field + ".apiVersion", apiVersion, "version must not be empty");
      }
      for (String part : OWNER_PARTS) {
        if (Meta.text(owner.path(part)).isEmpty()) {
          problems.invalid(field + "." + part, "", "must not be empty");
        }
      }
      if (apiVersion.equals("v1") && kind.equals("Event")) {
        problems.invalid(field, owner, "/v1, Kind=Event is disallowed from being an owner");
      }
      if (owner.path("controller").asBoolean(false)) {
        String name = kind + "/" + Meta.text(owner.path("name"));
        if (!controller.isEmpty()) {
          problems.invalid(
              field,
              owners,
              "Only one reference can have Controller set to true. Found \"true\" in references"
                  + " for "
                  + controller
                  + " and "
                  + name);
        } else {
          controller = name;
        }
      }
    }
  }
}

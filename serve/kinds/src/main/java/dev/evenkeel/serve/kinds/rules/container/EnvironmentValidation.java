package dev.evenkeel.serve.kinds.rules.container;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Paths;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a container finds in its environment, and references to fields of the pod. */
final class EnvironmentValidation {

  private static final List<String> SOURCES =
      List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

  private static final List<String> VARIABLE_FIELDS =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  static final List<String> FILE_FIELDS =
      List.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid");

  private static final List<String> RESOURCE_FIELDS =
      List.of(
          "limits.cpu",
          "limits.ephemeral-storage",
          "limits.memory",
          "requests.cpu",
          "requests.ephemeral-storage",
          "requests.memory");

  private static final Set<String> SIZE_DIVISORS =
      Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

  private EnvironmentValidation() {}

  static void validate(Place container, Volumes volumes) {
    for (Place variable : container.at("env").items()) {
      if (variable.at("valueFrom").isThere()) {
        valueFrom(variable, variable.at("valueFrom"), volumes);
      }
    }
    for (Place source : container.at("envFrom").items()) {
      envFrom(container.at("envFrom"), source);
    }
  }

  private static void valueFrom(Place variable, Place source, Volumes volumes) {
    int sources = 0;
    for (String kind : SOURCES) {
      if (source.at(kind).isThere()) {
        sources++;
      }
    }
    if (source.at("fieldRef").isThere()) {
      fieldReference(source.at("fieldRef"), VARIABLE_FIELDS);
    }
    if (source.at("resourceFieldRef").isThere()) {
      resourceReference(source.at("resourceFieldRef"), false);
    }
    for (String kind : List.of("configMapKeyRef", "secretKeyRef")) {
      if (source.at(kind).isThere()) {
        keyReference(source.at(kind));
      }
    }
    fileReference(source.at("fileKeyRef"), volumes);
    if (sources == 0) {
      source.invalid(
          "",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or"
              + " `secretKeyRef`");
    } else if (!variable.at("value").isEmpty()) {
      source.invalid("", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      source.invalid("", "may not have more than one field specified at a time");
    }
  }

  private static void keyReference(Place reference) {
    Place name = reference.at("name");
    name.invalid(Names.dnsSubdomain(name.text()));
  }

  private static void fileReference(Place reference, Volumes volumes) {
    if (!reference.isThere()) {
      return;
    }
    Place volume = reference.at("volumeName");
    if (!volumes.names().contains(volume.text())) {
      volume.notFound();
    } else if (!volumes.scratch().contains(volume.text())) {
      volume.invalid("referenced volume must be of type emptyDir");
    }
    Paths.noBacksteps(reference.at("path"));
  }

  private static void envFrom(Place all, Place source) {
    int sources = 0;
    for (String kind : List.of("configMapRef", "secretRef")) {
      Place reference = source.at(kind);
      if (reference.isThere()) {
        sources++;
        Place name = reference.at("name");
        if (!name.isEmpty()) {
          name.invalid(Names.dnsSubdomain(name.text()));
        }
      }
    }
    if (sources == 0) {
      all.invalid("", "must specify one of: `configMapRef` or `secretRef`");
    } else if (sources > 1) {
      all.invalid("", "may not have more than one field specified at a time");
    }
  }

  /** A field of the pod itself; of labels and annotations one entry may be named. */
  static void fieldReference(Place reference, List<String> supported) {
    Place path = reference.at("fieldPath");
    if (path.isEmpty()) {
      return;
    }
    String text = path.text();
    int bracket = text.indexOf("['");
    if (bracket < 0 || !text.endsWith("']")) {
      if (!supported.contains(text)) {
        if (isFieldAtAll(text)) {
          path.notSupported(supported);
        } else {
          path.invalid("error converting fieldPath: field label not supported: " + text);
        }
      }
      return;
    }
    String key = text.substring(bracket + 2, text.length() - 2);
    switch (text.substring(0, bracket)) {
      case "metadata.annotations" -> qualified(reference, key.toLowerCase(Locale.ROOT));
      case "metadata.labels" -> qualified(reference, key);
      default -> reference.invalid(text.substring(0, bracket), "does not support subscript");
    }
  }

  private static boolean isFieldAtAll(String path) {
    return VARIABLE_FIELDS.contains(path) || FILE_FIELDS.contains(path);
  }

  private static void qualified(Place reference, String key) {
    for (String fault : Names.qualifiedName(key)) {
      reference.invalid(key, fault);
    }
  }

  /** An amount that a container may use. */
  static void resourceReference(Place reference, boolean inVolume) {
    Place resource = reference.at("resource");
    String name = resource.text();
    if (inVolume && reference.at("containerName").isEmpty()) {
      reference.at("containerName").required();
    } else if (!resource.isEmpty() && !RESOURCE_FIELDS.contains(name) && !isHugePages(name)) {
      resource.notSupported(RESOURCE_FIELDS);
    }
    divisor(reference.at("divisor"), name);
  }

  private static boolean isHugePages(String resource) {
    return resource.startsWith("limits.hugepages-") || resource.startsWith("requests.hugepages-");
  }

  private static void divisor(Place divisor, String resource) {
    Quantity quantity = Quantity.tryRead(divisor.node());
    if (quantity == null || quantity.isZero()) {
      return;
    }
    if (resource.endsWith(".cpu")) {
      if (!Set.of("1m", "1").contains(quantity.toString())) {
        divisor.invalid(
            resource, "only divisor's values 1m and 1 are supported with the cpu resource");
      }
    } else if (!SIZE_DIVISORS.contains(quantity.toString())) {
      String what =
          resource.endsWith(".memory")
              ? "memory"
              : resource.endsWith(".ephemeral-storage") ? "local ephemeral storage" : "hugepages";
      divisor.invalid(
          resource,
          "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are"
              + " supported with the "
              + what
              + " resource");
    }
  }
}

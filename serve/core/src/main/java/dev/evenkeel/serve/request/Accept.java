package dev.evenkeel.serve.request;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The form in which an answer is wanted.
 *
 * @param format how it is written
 * @param as what it is turned into
 * @param group the group of what it is turned into: {@code meta.k8s.io}, {@code
 *     apidiscovery.k8s.io}
 * @param version its version, for example {@code v1}
 * @param wire whether protobuf is wanted instead, where it is to be had
 */
public record Accept(Json.Format format, As as, String group, String version, Wire wire) {

  /** Whether protobuf is wanted. */
  public enum Wire {
    NO,
    /** Rather than the rest. */
    FIRST,
    /** And nothing else. */
    ONLY
  }

  /** What an answer is turned into. */
  public enum As {
    /** Nothing: the object itself. */
    OBJECT,
    TABLE,
    PARTIAL_METADATA,
    AGGREGATED_DISCOVERY
  }

  public static final Accept JSON = new Accept(Json.Format.JSON, As.OBJECT, "", "", Wire.NO);

  private static final Accept WIRE_ONLY =
      new Accept(Json.Format.JSON, As.OBJECT, "", "", Wire.ONLY);

  private static final List<String> OFFERED = List.of("application/json", "application/yaml");

  public String contentType() {
    return format == Json.Format.JSON ? "application/json" : "application/yaml";
  }

  /**
   * Chooses from a header: the first of its entries that we can serve. Weights are not looked at:
   * no client of the API orders its entries against them.
   */
  public static Accept parse(@Nullable String header) {
    if (header == null || header.isEmpty() || header.equals("application/json")) {
      return JSON;
    }
    boolean wire = false;
    int from = 0;
    while (from <= header.length()) {
      int to = header.indexOf(',', from);
      if (to < 0) {
        to = header.length();
      }
      String text = header.substring(from, to);
      Accept entry = entry(text);
      if (entry != null) {
        return wire ? entry.with(Wire.FIRST) : entry;
      }
      wire |= isWire(text);
      from = to + 1;
    }
    if (wire) {
      return WIRE_ONLY;
    }
    throw Status.notAcceptable(OFFERED).asException();
  }

  /** Objects themselves only: tables and the like are not written that way. */
  private static boolean isWire(String text) {
    String[] parts = text.split(";", -1);
    for (int i = 1; i < parts.length; i++) {
      if (parts[i].strip().startsWith("as=")) {
        return false;
      }
    }
    return parts[0].strip().equalsIgnoreCase(WireCodec.MEDIA_TYPE);
  }

  public Accept with(Wire other) {
    return new Accept(format, as, group, version, other);
  }

  private static @Nullable Accept entry(String text) {
    String[] parts = text.split(";", -1);
    Json.Format format = format(parts[0].strip().toLowerCase(Locale.ROOT));
    if (format == null) {
      return null;
    }
    String as = "";
    String group = "";
    String version = "";
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.startsWith("as=")) {
        as = parameter.substring(3);
      } else if (parameter.startsWith("g=")) {
        group = parameter.substring(2);
      } else if (parameter.startsWith("v=")) {
        version = parameter.substring(2);
      }
    }
    As target = target(as, group, version);
    return target == null ? null : new Accept(format, target, group, version, Wire.NO);
  }

  private static @Nullable As target(String as, String group, String version) {
    boolean meta =
        group.equals("meta.k8s.io") && (version.equals("v1") || version.equals("v1beta1"));
    return switch (as) {
      case "" -> As.OBJECT;
      case "Table" -> meta ? As.TABLE : null;
      case "PartialObjectMetadata", "PartialObjectMetadataList" ->
          meta ? As.PARTIAL_METADATA : null;
      case "APIGroupDiscoveryList" ->
          group.equals("apidiscovery.k8s.io") && version.equals("v2")
              ? As.AGGREGATED_DISCOVERY
              : null;
      default -> null;
    };
  }

  private static Json.@Nullable Format format(String type) {
    return switch (type) {
      case "application/json", "application/*", "*/*", "text/*" -> Json.Format.JSON;
      case "application/yaml", "text/yaml", "application/x-yaml" -> Json.Format.YAML;
      default -> null;
    };
  }
}

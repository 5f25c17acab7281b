package dev.evenkeel.serve.request;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import java.util.ArrayList;
import java.util.List;
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
    ONLY,
    /** Of the metadata, which those of every kind have. */
    METADATA
  }

  /** What an answer is turned into. */
  public enum As {
    /** Nothing: the object itself. */
    OBJECT,
    TABLE,
    PARTIAL_METADATA,
    /** The same of a list. */
    PARTIAL_METADATA_LIST,
    AGGREGATED_DISCOVERY
  }

  /**
   * What is to be had where a request leads.
   *
   * @param byName whether a media type must be named in full, or as anything: so it is for the
   *     kinds that are built in
   * @param list whether it is a list, which can be watched too
   * @param tables whether there are tables
   */
  public record Offer(boolean byName, boolean list, boolean tables) {
    /** For what is no object. */
    public static final Offer ALL = new Offer(false, false, true);
  }

  public static final Accept JSON = new Accept(Json.Format.JSON, As.OBJECT, "", "", Wire.NO);

  private static final Accept WIRE_ONLY =
      new Accept(Json.Format.JSON, As.OBJECT, "", "", Wire.ONLY);

  /** In order of preference. */
  public static final List<String> OFFERED =
      List.of("application/json", "application/yaml", WireCodec.MEDIA_TYPE);

  /** What lists are written in besides, while they are watched. */
  private static final List<String> STREAMS =
      List.of("application/json;stream=watch", WireCodec.MEDIA_TYPE + ";stream=watch");

  public String contentType() {
    return format == Json.Format.JSON ? "application/json" : "application/yaml";
  }

  /** Whether a header asks for nothing special, as most do. */
  public static boolean isPlain(@Nullable String header) {
    return header == null
        || header.isEmpty()
        || header.equals("application/json")
        || header.equals("*/*");
  }

  /** Chooses from a header: the first that is to be had, in the order of their weights. */
  public static Accept parse(@Nullable String header, Offer offer) {
    if (header == null || isPlain(header)) {
      return JSON;
    }
    List<MediaRange> ranges = MediaRange.parse(header);
    if (offer.byName && ranges.stream().noneMatch(Accept::isNamed)) {
      List<String> offered = new ArrayList<>(OFFERED);
      if (offer.list) {
        offered.addAll(STREAMS);
      }
      throw Status.of(
              406,
              "NotAcceptable",
              "406: Not Acceptable\n\nAvailable representations: " + String.join(", ", offered))
          .asException();
    }
    boolean wire = false;
    for (MediaRange range : ranges) {
      Accept entry = entry(range, offer);
      if (entry != null) {
        return !wire ? entry : entry.wire == Wire.METADATA ? WIRE_ONLY : entry.with(Wire.FIRST);
      }
      wire |= isWire(range);
    }
    if (wire) {
      return WIRE_ONLY;
    }
    throw Status.notAcceptable(OFFERED).asException();
  }

  private static boolean isNamed(MediaRange range) {
    return range.type().equals("*/*") || OFFERED.contains(range.type());
  }

  /** Objects themselves. */
  private static boolean isWire(MediaRange range) {
    return range.parameter("as").isEmpty() && range.type().equalsIgnoreCase(WireCodec.MEDIA_TYPE);
  }

  public Accept with(Wire other) {
    return new Accept(format, as, group, version, other);
  }

  /**
   * How an error is written to whoever sent this header: as JSON where nothing else fits.
   *
   * @return one of {@link #OFFERED}
   */
  public static String ofErrors(@Nullable String header) {
    if (header != null && !isPlain(header)) {
      for (MediaRange range : MediaRange.parse(header)) {
        if (range.parameter("as").isEmpty()) {
          for (String offered : OFFERED) {
            if (range.includes(offered)) {
              return offered;
            }
          }
        }
      }
    }
    return OFFERED.getFirst();
  }

  private static @Nullable Accept entry(MediaRange range, Offer offer) {
    Json.Format format =
        range.includes("application/json")
            ? Json.Format.JSON
            : range.includes("application/yaml") ? Json.Format.YAML : null;
    String group = range.parameter("g");
    String version = range.parameter("v");
    As target = target(range.parameter("as"), group, version, offer);
    if (target == null) {
      return null;
    }
    if (format != null) {
      return new Accept(format, target, group, version, Wire.NO);
    }
    // Tables and the like are not written that way.
    boolean metadata = target == As.PARTIAL_METADATA || target == As.PARTIAL_METADATA_LIST;
    return metadata && range.type().equalsIgnoreCase(WireCodec.MEDIA_TYPE)
        ? new Accept(Json.Format.JSON, target, group, version, Wire.METADATA)
        : null;
  }

  private static @Nullable As target(String as, String group, String version, Offer offer) {
    boolean meta =
        group.equals("meta.k8s.io") && (version.equals("v1") || version.equals("v1beta1"));
    return switch (as) {
      case "" -> As.OBJECT;
      case "Table" -> meta && offer.tables ? As.TABLE : null;
      case "PartialObjectMetadata" -> meta ? As.PARTIAL_METADATA : null;
      case "PartialObjectMetadataList" -> meta ? As.PARTIAL_METADATA_LIST : null;
      case "APIGroupDiscoveryList" ->
          group.equals("apidiscovery.k8s.io") && version.equals("v2")
              ? As.AGGREGATED_DISCOVERY
              : null;
      default -> null;
    };
  }
}

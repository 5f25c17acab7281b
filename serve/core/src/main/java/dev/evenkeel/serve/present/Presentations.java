package dev.evenkeel.serve.present;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import dev.evenkeel.serve.kinds.wire.WireKind;
import dev.evenkeel.serve.request.Accept;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All ways to show a kind, made as they are asked for. */
public final class Presentations {

  private static final String WIRE = "wire";

  private final ResourceDefinition definition;
  private final Clock clock;
  private final ObjectPresentation plain;
  private final ConcurrentHashMap<String, Presentation> others = new ConcurrentHashMap<>();

  public Presentations(ResourceDefinition definition, Clock clock) {
    this.definition = definition;
    this.clock = clock;
    this.plain = new ObjectPresentation(definition);
  }

  public Presentation plain() {
    return plain;
  }

  /** Objects as protobuf, null if those of the kind cannot be shown that way. */
  public @Nullable Presentation wire() {
    Presentation known = others.get(WIRE);
    if (known != null) {
      return known;
    }
    WireKind kind = WireCodec.kind(definition.gvk());
    return kind == null
        ? null
        : others.computeIfAbsent(WIRE, _ -> new WirePresentation(definition, plain, kind));
  }

  /**
   * @param includeObject the query's parameter of a table: None, Metadata or Object
   */
  public Presentation of(Accept accept, String includeObject) {
    switch (accept.wire()) {
      case NO -> {}
      case METADATA -> {
        return others.computeIfAbsent(
            "wire/metadata/" + accept.version(),
            _ ->
                new WireMetadataPresentation(
                    new MetadataPresentation(definition, accept.version())));
      }
      case FIRST, ONLY -> {
        Presentation wire = wire();
        if (wire != null) {
          return wire;
        }
      }
    }
    return switch (accept.as()) {
      case OBJECT, AGGREGATED_DISCOVERY -> plain;
      case PARTIAL_METADATA, PARTIAL_METADATA_LIST ->
          others.computeIfAbsent(
              "metadata/" + accept.version(),
              _ -> new MetadataPresentation(definition, accept.version()));
      case TABLE -> {
        var include =
            switch (includeObject) {
              case "", "Metadata" -> TablePresentation.Include.METADATA;
              case "None" -> TablePresentation.Include.NONE;
              case "Object" -> TablePresentation.Include.OBJECT;
              default ->
                  throw Status.badRequest(
                          "Unable to convert to Table as requested: includeObject: Invalid value:"
                              + " \""
                              + includeObject
                              + "\": must be 'Metadata', 'Object', 'None', or empty")
                      .asException();
            };
        yield others.computeIfAbsent(
            "table/" + accept.version() + "/" + include,
            _ -> new TablePresentation(definition, clock, include, accept.version()));
      }
    };
  }
}

package dev.evenkeel.observe.object;

import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.quantity.Quantity;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Fills a record from the fields of its components' names. Fields that the record does not name are
 * passed over, not lost: the object's bytes keep them.
 *
 * @param type equal types decode alike, so that caches can be shared
 */
record RecordDecoder<T>(Class<T> type) implements Decoder<T> {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .addModule(
              new SimpleModule()
                  .addDeserializer(Quantity.class, new QuantityReader())
                  .addDeserializer(Duration.class, new DurationReader()))
          .build();

  @Override
  public T decode(byte[] json) {
    if (json.length == 0) {
      throw new JsonException("there is no JSON to decode");
    }
    try {
      return MAPPER.readValue(json, type);
    } catch (JacksonException e) {
      throw new JsonException(
          "it does not fit "
              + type.getSimpleName()
              + ": "
              + e.getOriginalMessage().lines().findFirst().orElse("")
              + " (at "
              + e.getPathReference().replaceAll("[\\w.$]+\\[\"", "[\"")
              + ")");
    }
  }

  /** A number or a string: clients write both. */
  private static final class QuantityReader extends ValueDeserializer<Quantity> {
    @Override
    public Quantity deserialize(JsonParser parser, DeserializationContext context) {
      return Quantity.parse(parser.getString());
    }
  }

  /** As Kubernetes writes them, {@code 1h30m}. */
  private static final class DurationReader extends ValueDeserializer<Duration> {
    @Override
    public Duration deserialize(JsonParser parser, DeserializationContext context) {
      return Durations.parse(parser.getString());
    }
  }
}

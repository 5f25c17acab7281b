package dev.evenkeel.observe.object;

import dev.evenkeel.kernel.json.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a value of an object's JSON. Called on any thread, for the same object as often as its
 * value is asked for.
 */
public interface Decoder<T> {

  /** The tree itself: each call gives one of its own, which the caller may change. */
  Decoder<ObjectNode> TREE = Json::parseObject;

  /**
   * Decodes.
   *
   * @param json not to be changed
   * @throws dev.evenkeel.kernel.json.JsonException if it is not what it should be
   */
  T decode(byte[] json);

  /** For a record whose components are the fields of interest; all others are passed over. */
  static <T> Decoder<T> of(Class<T> type) {
    return new RecordDecoder<>(type);
  }
}

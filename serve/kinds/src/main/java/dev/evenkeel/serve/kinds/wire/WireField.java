package dev.evenkeel.serve.kinds.wire;

import org.jspecify.annotations.Nullable;

/**
 * A field of a message.
 *
 * @param number its number on the wire
 * @param name its name in JSON, which for {@link Count#INLINE} nobody sees
 * @param value what is written there, each time
 * @param dropsZero whether its zero is the same as not being there
 */
record WireField(int number, String name, Count count, WireValue value, boolean dropsZero) {

  /** How often a field may come, and what becomes of its values. */
  enum Count {
    ONCE,
    /** A list: once for every item. */
    LIST,
    /** A map: once for every entry, a message of the key and the value. */
    MAP,
    /** A message whose fields stand beside those of the message around it. */
    INLINE
  }

  /** The type of a message, where the value is one. */
  WireType type() {
    return value.type();
  }

  /**
   * What a value is and how it is written.
   *
   * @param messageType of {@link Form#MESSAGE} and of the forms that may hold a schema
   * @param items of {@link Form#LIST}
   */
  record WireValue(Form form, @Nullable WireType messageType, @Nullable WireValue items) {

    WireType type() {
      if (messageType == null) {
        throw new IllegalStateException(form + " has no type");
      }
      return messageType;
    }

    WireValue item() {
      if (items == null) {
        throw new IllegalStateException(form + " has no items");
      }
      return items;
    }

    static WireValue of(Form form) {
      return new WireValue(form, null, null);
    }
  }

  /** How a value is written. */
  enum Form {
    STRING(Wire.LENGTH),
    /** Raw on the wire, base64 in JSON. */
    BYTES(Wire.LENGTH),
    BOOLEAN(Wire.VARINT),
    INT32(Wire.VARINT),
    INT64(Wire.VARINT),
    DOUBLE(Wire.FIXED64),
    /** {@code {1: 0 or 1, 2: whole number, 3: string}}. */
    INT_OR_STRING(Wire.LENGTH),
    /** {@code {1: string}}. */
    QUANTITY(Wire.LENGTH),
    /** {@code {1: seconds, 2: nanoseconds}}; an empty message is no time. */
    TIME(Wire.LENGTH),
    MICRO_TIME(Wire.LENGTH),
    /** {@code {1: JSON}}. */
    RAW(Wire.LENGTH),
    MESSAGE(Wire.LENGTH),
    /** {@code {1: item, 1: item}}: a list where the wire knows none, as in a map. */
    LIST(Wire.LENGTH),
    /** {@code {1: schema, 2: schemas}}. */
    SCHEMA_OR_ARRAY(Wire.LENGTH),
    /** {@code {1: boolean, 2: schema}}. */
    SCHEMA_OR_BOOLEAN(Wire.LENGTH),
    /** {@code {1: schema, 2: strings}}. */
    SCHEMA_OR_STRINGS(Wire.LENGTH);

    final int wireType;

    Form(int wireType) {
      this.wireType = wireType;
    }

    /** Whether several values may stand together in one run of bytes. */
    boolean packable() {
      return wireType != Wire.LENGTH;
    }
  }
}

package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.json.Json;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a document is written in. Its paths and types are encoded one by one, so that no more than
 * one of them is a tree at a time.
 */
enum Form {
  JSON {
    @Override
    byte[] path(String name, ObjectNode path) {
      return member(name, path);
    }

    @Override
    byte[] type(String name, ObjectNode type) {
      return member(name, type);
    }

    @Override
    Chunk inARow(Collection<byte[]> entries) {
      return Chunk.of(entries, ",");
    }

    @Override
    List<Chunk> document(ObjectNode head, List<Chunk> paths, List<Chunk> types, ObjectNode tail) {
      List<Chunk> all = new ArrayList<>();
      String before = head.toString();
      all.add(Chunk.of(before.substring(0, before.length() - 1) + ",\"paths\":{"));
      separated(paths, all);
      all.add(Chunk.of("},\"definitions\":{"));
      separated(types, all);
      all.add(Chunk.of("}," + tail.toString().substring(1)));
      return all;
    }
  },

  PROTOBUF {
    @Override
    byte[] path(String name, ObjectNode path) {
      return ProtobufForm.path(name, path);
    }

    @Override
    byte[] type(String name, ObjectNode type) {
      return ProtobufForm.type(name, type);
    }

    @Override
    Chunk inARow(Collection<byte[]> entries) {
      return Chunk.of(entries, "");
    }

    @Override
    List<Chunk> document(ObjectNode head, List<Chunk> paths, List<Chunk> types, ObjectNode tail) {
      List<Chunk> all = new ArrayList<>();
      all.add(Chunk.of(ProtobufForm.encode(head)));
      all.add(Chunk.of(ProtobufForm.pathsHead(length(paths))));
      all.addAll(paths);
      all.add(Chunk.of(ProtobufForm.typesHead(length(types))));
      all.addAll(types);
      all.add(Chunk.of(ProtobufForm.encode(tail)));
      return all;
    }
  };

  private static final Chunk COMMA = Chunk.of(",");

  /** One of the document's paths with its name. */
  abstract byte[] path(String name, ObjectNode path);

  /** One of the document's types with its name. */
  abstract byte[] type(String name, ObjectNode type);

  /** What {@link #path} or {@link #type} gave, as it stands in the document. */
  abstract Chunk inARow(Collection<byte[]> entries);

  /**
   * A whole document of OpenAPI 2.
   *
   * @param head the fields before the paths
   * @param tail the fields after the types
   */
  abstract List<Chunk> document(
      ObjectNode head, List<Chunk> paths, List<Chunk> types, ObjectNode tail);

  private static void separated(List<Chunk> chunks, List<Chunk> to) {
    int before = to.size();
    for (Chunk chunk : chunks) {
      if (chunk.length() > 0) {
        if (to.size() > before) {
          to.add(COMMA);
        }
        to.add(chunk);
      }
    }
  }

  private static long length(List<Chunk> chunks) {
    return chunks.stream().mapToLong(Chunk::length).sum();
  }

  private static byte[] member(String name, ObjectNode value) {
    byte[] key = Json.encode(JsonNodeFactory.instance.stringNode(name));
    byte[] encoded = Json.encode(value);
    var out = new ByteArrayOutputStream(key.length + 1 + encoded.length);
    out.writeBytes(key);
    out.write(':');
    out.writeBytes(encoded);
    return out.toByteArray();
  }
}

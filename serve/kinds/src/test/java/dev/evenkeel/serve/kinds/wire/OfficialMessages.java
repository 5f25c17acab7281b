package dev.evenkeel.serve.kinds.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.evenkeel.kernel.json.Json;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Discovery;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Flowcontrol;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Node;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import io.kubernetes.client.proto.V2Autoscaling;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The messages of the official Java client, whose fields are described by others than us, and a
 * tree made from one by nothing but that description.
 */
final class OfficialMessages {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final Map<String, FileDescriptor> FILES = new HashMap<>();

  static {
    for (FileDescriptor file :
        List.of(
            Meta.getDescriptor(),
            V1.getDescriptor(),
            V1Admissionregistration.getDescriptor(),
            V1Apiextensions.getDescriptor(),
            V1Apps.getDescriptor(),
            V1Authentication.getDescriptor(),
            V1Authorization.getDescriptor(),
            V1Autoscaling.getDescriptor(),
            V1Batch.getDescriptor(),
            V1Certificates.getDescriptor(),
            V1Coordination.getDescriptor(),
            V1Discovery.getDescriptor(),
            V1Events.getDescriptor(),
            V1Flowcontrol.getDescriptor(),
            V1Networking.getDescriptor(),
            V1Node.getDescriptor(),
            V1Policy.getDescriptor(),
            V1Rbac.getDescriptor(),
            V1Scheduling.getDescriptor(),
            V1Storage.getDescriptor(),
            V2Autoscaling.getDescriptor())) {
      FILES.put(file.getPackage(), file);
    }
  }

  /** Messages whose fields JSON shows beside those around them, by the field that holds them. */
  private static final List<String> INLINE =
      List.of(
          "ConfigMapEnvSource.localObjectReference",
          "ConfigMapKeySelector.localObjectReference",
          "ConfigMapProjection.localObjectReference",
          "ConfigMapVolumeSource.localObjectReference",
          "SecretEnvSource.localObjectReference",
          "SecretKeySelector.localObjectReference",
          "SecretProjection.localObjectReference",
          "EphemeralContainer.ephemeralContainerCommon",
          "PersistentVolumeSpec.persistentVolumeSource",
          "Probe.handler",
          "Volume.volumeSource",
          "IngressRule.ingressRuleValue",
          "NamedRuleWithOperations.ruleWithOperations",
          "RuleWithOperations.rule");

  /** Names that protobuf spells in a way of its own. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("aPIGroup", "apiGroup"),
          Map.entry("uID", "uid"),
          Map.entry("MutatingWebhookConfiguration.Webhooks", "webhooks"),
          Map.entry("ValidatingWebhookConfiguration.Webhooks", "webhooks"),
          Map.entry("Validation.Expression", "expression"),
          Map.entry("Variable.Expression", "expression"),
          Map.entry("Variable.Name", "name"),
          Map.entry("JSONSchemaProps.ref", "$ref"),
          Map.entry("JSONSchemaProps.schema", "$schema"));

  private OfficialMessages() {}

  /** The description of a type of ours, null if the client has none. */
  static @Nullable Descriptor descriptor(String publishedName) {
    int dot = publishedName.lastIndexOf('.');
    String packageName =
        "k8s.io."
            + publishedName
                .substring("io.k8s.".length(), dot)
                .replace("apiextensions-apiserver", "apiextensions_apiserver");
    FileDescriptor file = FILES.get(packageName);
    return file == null ? null : file.findMessageTypeByName(publishedName.substring(dot + 1));
  }

  static Runtime.Unknown envelope(byte[] body) throws InvalidProtocolBufferException {
    byte[] magic = {'k', '8', 's', 0};
    if (!Arrays.equals(magic, 0, 4, body, 0, 4)) {
      throw new AssertionError("no magic");
    }
    return Runtime.Unknown.parseFrom(ByteString.copyFrom(body, 4, body.length - 4));
  }

  static byte[] body(String apiVersion, String kind, byte[] object) {
    byte[] unknown =
        Runtime.Unknown.newBuilder()
            .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
            .setRaw(ByteString.copyFrom(object))
            .setContentEncoding("")
            .setContentType("")
            .build()
            .toByteArray();
    byte[] body = new byte[4 + unknown.length];
    System.arraycopy(new byte[] {'k', '8', 's', 0}, 0, body, 0, 4);
    System.arraycopy(unknown, 0, body, 4, unknown.length);
    return body;
  }

  static ObjectNode tree(Message message) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw new AssertionError(
          message.getDescriptorForType().getFullName()
              + " has unknown fields "
              + message.getUnknownFields().asMap().keySet());
    }
    ObjectNode tree = NODES.objectNode();
    String type = message.getDescriptorForType().getName();
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (INLINE.contains(type + "." + field.getName())) {
                tree((Message) value).forEachEntry(tree::set);
              } else {
                tree.set(name(type, field.getName()), field(field, value));
              }
            });
    return tree;
  }

  private static String name(String type, String field) {
    if (field.startsWith("xKubernetes")) {
      return field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
    return NAMES.getOrDefault(type + "." + field, NAMES.getOrDefault(field, field));
  }

  private static JsonNode field(FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      ObjectNode map = NODES.objectNode();
      for (Object one : (List<?>) value) {
        var entry = (Message) one;
        Descriptor type = entry.getDescriptorForType();
        FieldDescriptor values = type.findFieldByNumber(2);
        map.set(
            (String) entry.getField(type.findFieldByNumber(1)),
            value(values, entry.getField(values)));
      }
      return map;
    }
    if (field.isRepeated()) {
      ArrayNode list = NODES.arrayNode();
      for (Object item : (List<?>) value) {
        list.add(value(field, item));
      }
      return list;
    }
    return value(field, value);
  }

  private static JsonNode value(FieldDescriptor field, Object value) {
    return switch (value) {
      case String text -> NODES.stringNode(text);
      case Boolean flag -> NODES.booleanNode(flag);
      case Integer number -> NODES.numberNode((long) number);
      case Long number -> NODES.numberNode((long) number);
      case Double number -> NODES.numberNode((double) number);
      case ByteString bytes ->
          NODES.stringNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case Message message -> message(message);
      default -> throw new AssertionError(field.getFullName() + " is a " + value.getClass());
    };
  }

  private static JsonNode message(Message message) {
    Map<String, Object> fields = new HashMap<>();
    message.getAllFields().forEach((field, value) -> fields.put(field.getName(), value));
    return switch (message.getDescriptorForType().getName()) {
      case "Quantity" -> NODES.stringNode((String) part(fields, "string"));
      case "Time" -> NODES.stringNode(WireTime.text((Long) part(fields, "seconds"), 0, false));
      case "MicroTime" ->
          NODES.stringNode(
              WireTime.text((Long) part(fields, "seconds"), (Integer) part(fields, "nanos"), true));
      case "IntOrString" ->
          (Long) part(fields, "type") == 1
              ? NODES.stringNode((String) part(fields, "strVal"))
              : NODES.numberNode((long) (Integer) part(fields, "intVal"));
      case "RawExtension", "JSON", "FieldsV1" -> raw(fields);
      case "ExtraValue", "JSONSchemaPropsOrArray", "JSONSchemaPropsOrStringArray" ->
          tree(message).values().stream().findFirst().orElseThrow();
      case "JSONSchemaPropsOrBool" ->
          fields.containsKey("schema")
              ? tree((Message) part(fields, "schema"))
              : NODES.booleanNode((Boolean) part(fields, "allows"));
      default -> tree(message);
    };
  }

  private static Object part(Map<String, Object> fields, String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }

  private static JsonNode raw(Map<String, Object> fields) {
    Object bytes = part(fields, fields.containsKey("raw") ? "raw" : "Raw");
    return Json.parse(((ByteString) bytes).toStringUtf8().getBytes(StandardCharsets.UTF_8));
  }

  static Message parse(Descriptor descriptor, byte[] bytes) throws InvalidProtocolBufferException {
    return DynamicMessage.parseFrom(descriptor, bytes);
  }
}

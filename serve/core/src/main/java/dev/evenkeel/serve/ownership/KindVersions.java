package dev.evenkeel.serve.ownership;

import dev.evenkeel.kernel.apply.Versions;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.object.WriteStrategy;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A kind in all its served versions, as it is written through one of its subresources. */
final class KindVersions implements Versions {

  /** Built-in types are named after where they come from. */
  private static final String BUILT_IN = "io.k8s.";

  /**
   * Where upstream's types hold a struct and not a pointer to one: such fields are there in every
   * object, so nobody adds them. The fields metadata, spec and status are like that everywhere.
   */
  private static final Set<String> ALWAYS_THERE =
      Set.of(
          "CronJobSpec.jobTemplate",
          "CustomResourceDefinitionSpec.names",
          "CustomResourceDefinitionStatus.acceptedNames",
          "DaemonSetSpec.template",
          "DaemonSetSpec.updateStrategy",
          "DeploymentSpec.strategy",
          "DeploymentSpec.template",
          "Event.deprecatedSource",
          "Event.involvedObject",
          "Event.regarding",
          "Event.source",
          "FlowSchemaSpec.priorityLevelConfiguration",
          "HorizontalPodAutoscalerSpec.scaleTargetRef",
          "IngressStatus.loadBalancer",
          "JobSpec.template",
          "NetworkPolicySpec.podSelector",
          "NodeDaemonEndpoints.kubeletEndpoint",
          "NodeStatus.daemonEndpoints",
          "NodeStatus.nodeInfo",
          "PersistentVolumeClaimSpec.resources",
          "PodTemplate.template",
          "ReplicaSetSpec.template",
          "ResourceClaimSpec.devices",
          "ResourceSliceSpec.pool",
          "ServiceStatus.loadBalancer",
          "StatefulSetSpec.template",
          "StatefulSetSpec.updateStrategy",
          "VolumeAttachmentSpec.source");

  private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

  /** By built-in type: there are few, and they stay. */
  private static final Map<Schema.Struct, ObjectNode> ZEROES = new ConcurrentHashMap<>();

  private final ResourceTable resources;
  private final ResourceDefinition definition;
  private final String subresource;

  KindVersions(ResourceTable resources, Served served, String subresource) {
    this.resources = resources;
    this.definition = served.definition();
    this.subresource = subresource;
  }

  /** The version that the write is made in. */
  Version own() {
    return version(definition);
  }

  @Override
  public @Nullable Version at(String apiVersion) {
    ResourceDefinition found = find(apiVersion);
    return found == null ? null : version(found);
  }

  private @Nullable ResourceDefinition find(String apiVersion) {
    if (definition.gvk().apiVersion().equals(apiVersion)) {
      return definition;
    }
    ResourceDefinition.Storage storage = definition.storage();
    for (Served other : resources.all()) {
      ResourceDefinition candidate = other.definition();
      if (candidate.gvk().apiVersion().equals(apiVersion)
          && candidate.storage().group().equals(storage.group())
          && candidate.storage().resource().equals(storage.resource())) {
        return candidate;
      }
    }
    return null;
  }

  private Version version(ResourceDefinition one) {
    return new Version(
        one.gvk().apiVersion(),
        one.schema(),
        zero(one.schema()),
        WriteStrategy.reset(one, subresource));
  }

  @Override
  public ObjectNode convert(ObjectNode object, String from, String to) {
    if (from.equals(to)) {
      return object;
    }
    ResourceDefinition source = find(from);
    ResourceDefinition target = find(to);
    if (source == null || target == null) {
      throw new IllegalArgumentException("no conversion from " + from + " to " + to);
    }
    return target
        .storage()
        .conversion()
        .toServed(source.storage().conversion().toStored(object.deepCopy()));
  }

  @Override
  public String printed(String apiVersion) {
    return subresource.equals("scale") ? "autoscaling/v1" : apiVersion;
  }

  private static ObjectNode zero(Schema.Struct schema) {
    if (!schema.name().startsWith(BUILT_IN)) {
      return NOTHING;
    }
    ObjectNode known = ZEROES.get(schema);
    if (known == null) {
      known = zeroOf(schema);
      ZEROES.put(schema, known);
    }
    return known;
  }

  private static ObjectNode zeroOf(Schema.Struct schema) {
    ObjectNode zero = JsonNodeFactory.instance.objectNode();
    String type = schema.name().substring(schema.name().lastIndexOf('.') + 1);
    for (Field field : schema.fields().values()) {
      if (field.schema() instanceof Schema.Struct struct && isAlwaysThere(type, field.name())) {
        zero.set(field.name(), field.atomic() ? NOTHING : zeroOf(struct));
      }
    }
    return zero;
  }

  private static boolean isAlwaysThere(String type, String field) {
    return switch (field) {
      case "metadata", "spec", "status" -> true;
      default -> ALWAYS_THERE.contains(type + "." + field);
    };
  }
}

package dev.evenkeel.kernel.patch;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Of some kinds, what strategic merge patches have to know: which lists merge, and by which key.
 */
final class Schemas {

  private static final Schema STRING = Schema.Scalar.STRING;
  private static final Schema STRINGS = new Schema.MapOf(STRING);

  private Schemas() {}

  static Schema.Struct deployment() {
    Schema.Struct strategy = struct("DeploymentStrategy");
    plain(strategy, "type", STRING);
    plain(strategy, "rollingUpdate", struct("RollingUpdateDeployment"));
    Schema.Struct template = struct("PodTemplateSpec");
    plain(template, "metadata", metadata());
    plain(template, "spec", podSpec());
    Schema.Struct spec = struct("DeploymentSpec");
    plain(spec, "replicas", Schema.Scalar.INT32);
    plain(spec, "template", template);
    add(spec, "strategy", strategy, new MergeStrategy(false, true, null));
    return kind("Deployment", spec);
  }

  static Schema.Struct service() {
    Schema.Struct port = struct("ServicePort");
    plain(port, "name", STRING);
    plain(port, "port", Schema.Scalar.INT32);
    plain(port, "protocol", STRING);
    plain(port, "targetPort", Schema.Scalar.INT_OR_STRING);
    Schema.Struct spec = struct("ServiceSpec");
    plain(spec, "selector", STRINGS);
    add(spec, "ports", list(port), new MergeStrategy(true, false, "port"));
    return kind("Service", spec);
  }

  static Schema.Struct disruptionBudget() {
    Schema.Struct spec = struct("PodDisruptionBudgetSpec");
    add(spec, "selector", struct("LabelSelector"), MergeStrategy.REPLACE_WHOLE);
    return kind("PodDisruptionBudget", spec);
  }

  private static Schema.Struct kind(String name, Schema spec) {
    Schema.Struct kind = struct(name);
    plain(kind, "metadata", metadata());
    plain(kind, "spec", spec);
    return kind;
  }

  private static Schema.Struct metadata() {
    Schema.Struct owner = struct("OwnerReference");
    plain(owner, "uid", STRING);
    plain(owner, "controller", Schema.Scalar.BOOLEAN);
    Schema.Struct metadata = struct("ObjectMeta");
    plain(metadata, "name", STRING);
    plain(metadata, "labels", STRINGS);
    plain(metadata, "annotations", STRINGS);
    add(metadata, "finalizers", list(STRING), new MergeStrategy(true, false, null));
    add(metadata, "ownerReferences", list(owner), new MergeStrategy(true, false, "uid"));
    return metadata;
  }

  private static Schema.Struct podSpec() {
    Schema.Struct toleration = struct("Toleration");
    plain(toleration, "key", STRING);
    Schema.Struct volume = struct("Volume");
    plain(volume, "name", STRING);
    plain(volume, "emptyDir", struct("EmptyDirVolumeSource"));
    plain(volume, "hostPath", struct("HostPathVolumeSource"));
    Schema.Struct spec = struct("PodSpec");
    plain(spec, "nodeSelector", STRINGS);
    plain(spec, "tolerations", list(toleration));
    add(spec, "containers", list(container()), new MergeStrategy(true, false, "name"));
    add(spec, "initContainers", list(container()), new MergeStrategy(true, false, "name"));
    add(spec, "volumes", list(volume), new MergeStrategy(true, true, "name"));
    return spec;
  }

  private static Schema.Struct container() {
    Schema.Struct source = struct("EnvVarSource");
    plain(source, "fieldRef", struct("ObjectFieldSelector"));
    Schema.Struct env = struct("EnvVar");
    plain(env, "name", STRING);
    plain(env, "value", STRING);
    plain(env, "valueFrom", source);
    Schema.Struct port = struct("ContainerPort");
    plain(port, "containerPort", Schema.Scalar.INT32);
    plain(port, "protocol", STRING);
    Schema.Struct resources = struct("ResourceRequirements");
    plain(resources, "limits", new Schema.MapOf(Schema.Scalar.QUANTITY));
    Schema.Struct container = struct("Container");
    plain(container, "name", STRING);
    plain(container, "image", STRING);
    plain(container, "args", list(STRING));
    plain(container, "resources", resources);
    add(container, "env", list(env), new MergeStrategy(true, false, "name"));
    add(container, "ports", list(port), new MergeStrategy(true, false, "containerPort"));
    return container;
  }

  static Schema.Struct struct(String name) {
    return new Schema.Struct(name, false);
  }

  static Schema list(Schema items) {
    return new Schema.ListOf(items, Schema.ListType.ATOMIC, List.of());
  }

  static void plain(Schema.Struct struct, String name, Schema schema) {
    add(struct, name, schema, MergeStrategy.REPLACE);
  }

  static void merged(Schema.Struct struct, String name, Schema items, @Nullable String key) {
    add(struct, name, list(items), new MergeStrategy(true, false, key));
  }

  static void add(Schema.Struct struct, String name, Schema schema, MergeStrategy merge) {
    struct.add(new Field(name, schema, false, null, merge));
  }
}

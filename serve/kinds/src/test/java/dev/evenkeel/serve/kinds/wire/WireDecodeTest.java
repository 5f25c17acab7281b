package dev.evenkeel.serve.kinds.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import io.kubernetes.client.proto.IntStr;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is made of bodies, field by field. */
class WireDecodeTest {

  private static final Gvk POD = Gvk.of("v1", "Pod");
  private static final Gvk DEPLOYMENT = Gvk.of("apps/v1", "Deployment");
  private static final Gvk SERVICE = Gvk.of("v1", "Service");
  private static final Gvk CONFIG_MAP = Gvk.of("v1", "ConfigMap");
  private static final Gvk DEFINITION =
      Gvk.of("apiextensions.k8s.io/v1", "CustomResourceDefinition");

  private static JsonNode decode(Gvk gvk, Message message) {
    return WireCodec.decode(body(gvk, message.toByteArray()), gvk);
  }

  private static byte[] body(Gvk gvk, byte[] object) {
    return OfficialMessages.body(gvk.apiVersion(), gvk.kind(), object);
  }

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void decode_dropsZerosThatJsonLeavesOut() {
    var metadata =
        Meta.ObjectMeta.newBuilder()
            .setName("p")
            .setGenerateName("")
            .setGeneration(0)
            .setCreationTimestamp(Meta.Time.getDefaultInstance());
    var container =
        V1.Container.newBuilder()
            .setName("c")
            .setImage("")
            .setTty(false)
            .setResources(V1.ResourceRequirements.getDefaultInstance());
    var pod =
        V1.Pod.newBuilder()
            .setMetadata(metadata)
            .setSpec(V1.PodSpec.newBuilder().addContainers(container).setHostNetwork(false))
            .setStatus(V1.PodStatus.newBuilder().setPhase(""))
            .build();
    assertThat(decode(POD, pod))
        .isEqualTo(
            json(
                """
                {'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},
                 'spec':{'containers':[{'name':'c'}]}}\
                """));
  }

  @Test
  void decode_keepsZerosThatMeanSomething() {
    var spec =
        V1Apps.DeploymentSpec.newBuilder()
            .setReplicas(0)
            .setTemplate(V1.PodTemplateSpec.getDefaultInstance())
            .setSelector(Meta.LabelSelector.getDefaultInstance());
    assertThat(
            decode(DEPLOYMENT, V1Apps.Deployment.newBuilder().setSpec(spec).build()).path("spec"))
        .isEqualTo(json("{'replicas':0,'selector':{},'template':{}}"));
    var volume =
        V1.Volume.newBuilder()
            .setName("")
            .setVolumeSource(
                V1.VolumeSource.newBuilder()
                    .setEmptyDir(V1.EmptyDirVolumeSource.newBuilder().setMedium("")));
    var pod = V1.Pod.newBuilder().setSpec(V1.PodSpec.newBuilder().addVolumes(volume)).build();
    assertThat(decode(POD, pod).path("spec").path("volumes"))
        .isEqualTo(json("[{'name':'','emptyDir':{}}]"));
  }

  @Test
  void decode_readsPortsByNumberAndByName() {
    var byNumber =
        V1.ServicePort.newBuilder()
            .setPort(80)
            .setTargetPort(
                IntStr.IntOrString.newBuilder().setType(0).setIntVal(8080).setStrVal(""));
    var byName =
        V1.ServicePort.newBuilder()
            .setPort(81)
            .setTargetPort(
                IntStr.IntOrString.newBuilder().setType(1).setIntVal(0).setStrVal("http"));
    var unset =
        V1.ServicePort.newBuilder()
            .setPort(82)
            .setTargetPort(IntStr.IntOrString.newBuilder().setType(0).setIntVal(0).setStrVal(""));
    var service =
        V1.Service.newBuilder()
            .setSpec(
                V1.ServiceSpec.newBuilder().addPorts(byNumber).addPorts(byName).addPorts(unset))
            .build();
    assertThat(decode(SERVICE, service).path("spec").path("ports"))
        .isEqualTo(
            json("[{'port':80,'targetPort':8080},{'port':81,'targetPort':'http'},{'port':82}]"));
  }

  @Test
  void decode_readsTimesAndQuantities() {
    var status =
        V1.PodStatus.newBuilder()
            .setStartTime(Meta.Time.newBuilder().setSeconds(-1).setNanos(5))
            .addConditions(
                V1.PodCondition.newBuilder()
                    .setType("Ready")
                    .setLastProbeTime(Meta.Time.newBuilder())
                    .setLastTransitionTime(Meta.Time.newBuilder().setSeconds(0)));
    var limits =
        V1.ResourceRequirements.newBuilder()
            .putLimits("cpu", Resource.Quantity.newBuilder().setString("1500m").build())
            .putLimits("memory", Resource.Quantity.getDefaultInstance());
    var pod =
        V1.Pod.newBuilder()
            .setStatus(status)
            .setSpec(
                V1.PodSpec.newBuilder()
                    .addContainers(V1.Container.newBuilder().setName("c").setResources(limits)))
            .build();
    JsonNode tree = decode(POD, pod);
    assertThat(tree.path("status"))
        .isEqualTo(
            json(
                """
                {'startTime':'1969-12-31T23:59:59Z',
                 'conditions':[{'type':'Ready','lastTransitionTime':'1970-01-01T00:00:00Z'}]}\
                """));
    assertThat(tree.path("spec").path("containers").path(0).path("resources").path("limits"))
        .isEqualTo(json("{'cpu':'1500m','memory':'0'}"));
  }

  @Test
  void decode_passesOverFieldsItDoesNotKnow() {
    var unknown =
        UnknownFieldSet.newBuilder()
            .addField(900, UnknownFieldSet.Field.newBuilder().addVarint(1).addFixed32(2).build())
            .addField(
                901,
                UnknownFieldSet.Field.newBuilder()
                    .addFixed64(3)
                    .addLengthDelimited(ByteString.copyFromUtf8("x"))
                    .addGroup(
                        UnknownFieldSet.newBuilder()
                            .addField(1, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
                            .build())
                    .build())
            .build();
    var map = V1.ConfigMap.newBuilder().putData("a", "b").setUnknownFields(unknown).build();
    assertThat(decode(CONFIG_MAP, map))
        .isEqualTo(json("{'apiVersion':'v1','kind':'ConfigMap','data':{'a':'b'}}"));
  }

  @Test
  void decode_takesNumbersOneByOneAndTogether() {
    var context = V1.PodSecurityContext.newBuilder().addSupplementalGroups(1);
    byte[] packed = {(byte) (4 << 3 | 2), 3, 2, (byte) 0x80, 1};
    var pod =
        V1.Pod.newBuilder().setSpec(V1.PodSpec.newBuilder().setSecurityContext(context)).build();
    byte[] head = pod.getSpec().getSecurityContext().toByteArray();
    byte[] both = new byte[head.length + packed.length];
    System.arraycopy(head, 0, both, 0, head.length);
    System.arraycopy(packed, 0, both, head.length, packed.length);
    byte[] spec = message(14, both);
    JsonNode tree = WireCodec.decode(body(POD, message(2, spec)), POD);
    assertThat(tree.path("spec").path("securityContext"))
        .isEqualTo(json("{'supplementalGroups':[1,2,128]}"));
  }

  private static byte[] message(int number, byte[] content) {
    var out = new WireBuffer(content.length);
    out.block(number, content);
    return out.toBytes();
  }

  @Test
  void decode_addsUpTheFragmentsOfAMessage() {
    byte[] first = V1.ConfigMap.newBuilder().setMetadata(named("a")).build().toByteArray();
    byte[] second =
        V1.ConfigMap.newBuilder()
            .setMetadata(Meta.ObjectMeta.newBuilder().putLabels("x", "y"))
            .build()
            .toByteArray();
    byte[] both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    assertThat(WireCodec.decode(body(CONFIG_MAP, both), CONFIG_MAP).path("metadata"))
        .isEqualTo(json("{'name':'a','labels':{'x':'y'}}"));
  }

  private static Meta.ObjectMeta.Builder named(String name) {
    return Meta.ObjectMeta.newBuilder().setName(name);
  }

  @Test
  void decode_readsSchemasThatAreSomethingElse() {
    var schema =
        V1Apiextensions.JSONSchemaProps.newBuilder()
            .setDefault(V1Apiextensions.JSON.newBuilder().setRaw(ByteString.copyFromUtf8("[1]")))
            .setMaximum(3)
            .setMinimum(0.5)
            .setAdditionalProperties(
                V1Apiextensions.JSONSchemaPropsOrBool.newBuilder().setAllows(false))
            .setAdditionalItems(V1Apiextensions.JSONSchemaPropsOrBool.newBuilder().setAllows(true))
            .setItems(
                V1Apiextensions.JSONSchemaPropsOrArray.newBuilder()
                    .setSchema(V1Apiextensions.JSONSchemaProps.newBuilder().setType("string")));
    var definition =
        V1Apiextensions.CustomResourceDefinition.newBuilder()
            .setSpec(
                V1Apiextensions.CustomResourceDefinitionSpec.newBuilder()
                    .addVersions(
                        V1Apiextensions.CustomResourceDefinitionVersion.newBuilder()
                            .setSchema(
                                V1Apiextensions.CustomResourceValidation.newBuilder()
                                    .setOpenAPIV3Schema(schema))))
            .build();
    JsonNode tree = decode(DEFINITION, definition);
    assertThat(tree.path("spec").path("versions").path(0).path("schema").path("openAPIV3Schema"))
        .isEqualTo(
            json(
                """
                {'default':[1],'maximum':3,'minimum':0.5,'additionalProperties':false,
                 'additionalItems':true,'items':{'type':'string'}}\
                """));
  }

  @Test
  void decode_goesByWhatIsExpectedWhereTheBodyDoesNotSay() {
    byte[] map = V1.ConfigMap.newBuilder().putData("a", "b").build().toByteArray();
    assertThat(WireCodec.decode(OfficialMessages.body("", "", map), CONFIG_MAP))
        .isEqualTo(json("{'apiVersion':'v1','kind':'ConfigMap','data':{'a':'b'}}"));
  }

  @Test
  void decode_takesDeleteOptionsOfAnyGroup() {
    byte[] options =
        Meta.DeleteOptions.newBuilder()
            .setGracePeriodSeconds(0)
            .setPropagationPolicy("Orphan")
            .build()
            .toByteArray();
    byte[] body = OfficialMessages.body("apps/v1", "DeleteOptions", options);
    assertThat(WireCodec.decode(body, Gvk.of("v1", "DeleteOptions")))
        .isEqualTo(
            json(
                """
                {'apiVersion':'apps/v1','kind':'DeleteOptions','gracePeriodSeconds':0,
                 'propagationPolicy':'Orphan'}\
                """));
  }

  @Test
  void decode_refusesWhatIsNoBody() {
    refused(new byte[0], "does not begin");
    refused(new byte[] {'k', '8', 's'}, "does not begin");
    refused("{\"kind\":\"ConfigMap\"}".getBytes(StandardCharsets.UTF_8), "does not begin");
    refused(OfficialMessages.body("v1", "Nothing", new byte[0]), "no kind \"Nothing\"");
    refused(OfficialMessages.body("v9/v9/v9", "Pod", new byte[0]), "no kind \"Pod\"");
  }

  @Test
  void decode_refusesWhatIsMalformed() {
    refusedObject("0a", "ends within a value");
    refusedObject("0a05", "ends within a value");
    refusedObject("0affffffff0f", "ends within a value");
    refusedObject("0affffffffffffffffff01", "ends within a value");
    refusedObject("0affffffffffffffffffff01", "too many bytes");
    refusedObject("02", "the number 0");
    refusedObject("8080808080808001", "impossible number");
    refusedObject("08", "another type");
    refusedObject("0f", "another type");
    refusedObject("a70f", "in no known way");
    refusedObject("12060a0161120180", "not UTF-8");
  }

  private static void refusedObject(String hex, String why) {
    refused(OfficialMessages.body("v1", "ConfigMap", java.util.HexFormat.of().parseHex(hex)), why);
  }

  private static void refused(byte[] body, String why) {
    assertThatThrownBy(() -> WireCodec.decode(body, CONFIG_MAP))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining(why);
  }

  @Test
  void decode_refusesCompressedObjects() {
    byte[] unknown = Runtime.Unknown.newBuilder().setContentEncoding("gzip").build().toByteArray();
    byte[] body = new byte[4 + unknown.length];
    System.arraycopy("k8s\0".getBytes(StandardCharsets.ISO_8859_1), 0, body, 0, 4);
    System.arraycopy(unknown, 0, body, 4, unknown.length);
    refused(body, "compressed");
  }

  @Test
  void decode_refusesNestingThatCouldNotBeStored() {
    var schema = V1Apiextensions.JSONSchemaProps.newBuilder().setType("string").build();
    for (int i = 0; i < 1000; i++) {
      schema = V1Apiextensions.JSONSchemaProps.newBuilder().setNot(schema).build();
    }
    tooDeep(schema);
    byte[] deep =
        ("[".repeat(Json.DEPTH_MAX) + "]".repeat(Json.DEPTH_MAX)).getBytes(StandardCharsets.UTF_8);
    assertThat(Json.parse(deep)).isNotNull();
    tooDeep(
        V1Apiextensions.JSONSchemaProps.newBuilder()
            .setDefault(V1Apiextensions.JSON.newBuilder().setRaw(ByteString.copyFrom(deep)))
            .build());
  }

  private static void tooDeep(V1Apiextensions.JSONSchemaProps schema) {
    var version =
        V1Apiextensions.CustomResourceDefinitionVersion.newBuilder()
            .setSchema(
                V1Apiextensions.CustomResourceValidation.newBuilder().setOpenAPIV3Schema(schema));
    var definition =
        V1Apiextensions.CustomResourceDefinition.newBuilder()
            .setSpec(V1Apiextensions.CustomResourceDefinitionSpec.newBuilder().addVersions(version))
            .build();
    assertThatThrownBy(() -> decode(DEFINITION, definition))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("too deep");
  }
}

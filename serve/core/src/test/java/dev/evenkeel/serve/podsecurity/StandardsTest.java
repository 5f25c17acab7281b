package dev.evenkeel.serve.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Each check at both levels, in the versions between which it changed, in upstream's words. */
class StandardsTest {

  private static LevelVersion at(String text) {
    String[] parts = text.split(":", 2);
    return new LevelVersion(
        Objects.requireNonNull(Level.of(parts[0])),
        Objects.requireNonNull(PolicyVersion.of(parts[1])));
  }

  private static String found(String level, JsonNode pod) {
    return Standards.check(at(level), pod).details();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'hostNetwork':true,'hostPID':true,'hostIPC':true | host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)
          'hostPID':true,'hostNetwork':false | host namespaces (hostPID=true)
          'volumes':[{'name':'h','hostPath':{'path':'/'}},{'name':'e','emptyDir':{}}] | hostPath volumes (volume "h")
          'volumes':[{'name':'h','hostPath':{'path':'/'}},{'name':'i','hostPath':{'path':'/'}}] | hostPath volumes (volumes "h", "i")
          'containers':[{'name':'c','ports':[{'containerPort':1,'hostPort':9}]}] | hostPort (container "c" uses hostPort 9)
          'containers':[{'name':'c','ports':[{'hostPort':9}]},{'name':'d','ports':[{'hostPort':10},{'hostPort':0}]}] | hostPort (containers "c", "d" use hostPorts 10, 9)
          'containers':[{'name':'c','livenessProbe':{'httpGet':{'host':'h'}}}] | probe or lifecycle host (container "c" uses probe or lifecycle host "h")
          'containers':[{'name':'d','readinessProbe':{'tcpSocket':{'host':'i'}},'startupProbe':{'httpGet':{'host':'h'}}},{'name':'c','lifecycle':{'preStop':{'tcpSocket':{'host':'h'}}}}] | probe or lifecycle host (containers "c", "d" use probe or lifecycle hosts "h", "i")
          'containers':[{'name':'c','lifecycle':{'postStart':{'httpGet':{'host':'h'}}}}] | probe or lifecycle host (container "c" uses probe or lifecycle host "h")
          'containers':[{'name':'c','securityContext':{'privileged':true}}] | privileged (container "c" must not set securityContext.privileged=true)
          'initContainers':[{'name':'i','securityContext':{'privileged':true}}],'containers':[{'name':'c','securityContext':{'privileged':false}}],'ephemeralContainers':[{'name':'e','securityContext':{'privileged':true}}] | privileged (containers "i", "e" must not set securityContext.privileged=true)
          'containers':[{'name':'c','securityContext':{'procMount':'Unmasked'}}] | procMount (container "c" must not set securityContext.procMount to "Unmasked")
          'hostUsers':false,'containers':[{'name':'c','securityContext':{'procMount':'Unmasked'}}] | procMount (container "c" must not set securityContext.procMount to "Unmasked")
          'containers':[{'name':'c','securityContext':{'capabilities':{'add':['SYS_ADMIN','CHOWN','NET_RAW']}}}] | non-default capabilities (container "c" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)
          'securityContext':{'seLinuxOptions':{'type':'bad','user':'u','role':'r'}} | seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "bad"; user may not be set; role may not be set)
          'securityContext':{'seLinuxOptions':{'type':'b'}},'containers':[{'name':'c','securityContext':{'seLinuxOptions':{'type':'a'}}}] | seLinuxOptions (pod and container "c" set forbidden securityContext.seLinuxOptions: types "a", "b")
          'securityContext':{'seLinuxOptions':{'level':'s0'}},'containers':[{'name':'c','securityContext':{'seLinuxOptions':{'user':'u'}}}] | seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: user may not be set)
          'securityContext':{'seccompProfile':{'type':'Unconfined'}},'containers':[{'name':'c','securityContext':{'seccompProfile':{'type':'Unconfined'}}},{'name':'d','securityContext':{'seccompProfile':{'type':'Localhost'}}}] | seccompProfile (pod and container "c" must not set securityContext.seccompProfile.type to "Unconfined")
          'securityContext':{'appArmorProfile':{'type':'Unconfined'}} | forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")
          'containers':[{'name':'c','securityContext':{'appArmorProfile':{'type':'Unconfined'}}},{'name':'d','securityContext':{'appArmorProfile':{'type':'Localhost'}}}] | forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")
          'securityContext':{'sysctls':[{'name':'kernel.x'},{'name':'net.ipv4.tcp_rmem'},{'name':'a.b'}]} | forbidden sysctls (kernel.x, a.b)
          'securityContext':{'windowsOptions':{'hostProcess':true}},'containers':[{'name':'c','securityContext':{'windowsOptions':{'hostProcess':true}}}] | hostProcess (pod and container "c" must not set securityContext.windowsOptions.hostProcess=true)
          'hostNetwork':true,'containers':[{'name':'c','securityContext':{'privileged':true}}] | host namespaces (hostNetwork=true), privileged (container "c" must not set securityContext.privileged=true)
          'containers':[{'name':'c','livenessProbe':{'httpGet':{'host':''}},'securityContext':{'procMount':'Default','capabilities':{'add':['CHOWN']},'runAsUser':0}}],'volumes':[{'name':'n','nfs':{}}] | ``
          """)
  void baseline_names(String spec, String expected) {
    assertThat(found("baseline:latest", Pods.of(spec))).isEqualTo(expected);
    assertThat(found("privileged:latest", Pods.of(spec))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          `` | `` | ``
          'hostPID':true | 'privileged':true | host namespaces (hostPID=true), privileged (container "c" must not set securityContext.privileged=true)
          `` | 'allowPrivilegeEscalation':null | allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)
          `` | 'allowPrivilegeEscalation':true | allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)
          `` | 'capabilities':null | unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"])
          `` | 'capabilities':{'drop':['all'],'add':['CHOWN','NET_BIND_SERVICE']} | unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]; container "c" must not include "CHOWN" in securityContext.capabilities.add)
          `` | 'capabilities':{'drop':['ALL'],'add':['NET_BIND_SERVICE']} | ``
          'volumes':[{'name':'h','hostPath':{}},{'name':'n','nfs':{}},{'name':'m','nfs':{}}] | `` | restricted volume types (volumes "h", "n", "m" use restricted volume types "hostPath", "nfs")
          'volumes':[{'name':'n','storageos':{}}] | `` | restricted volume types (volume "n" uses restricted volume type "storageos")
          'volumes':[{'name':'n'}] | `` | restricted volume types (volume "n" uses restricted volume type "unknown")
          'volumes':[{'name':'a','configMap':{}},{'name':'b','csi':{}},{'name':'c','downwardAPI':{}},{'name':'d','emptyDir':{}},{'name':'e','ephemeral':{}},{'name':'f','image':{}},{'name':'g','persistentVolumeClaim':{}},{'name':'h','projected':{}},{'name':'i','secret':{}}] | `` | ``
          `` | 'runAsNonRoot':null | runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)
          'securityContext':{'runAsNonRoot':true} | 'runAsNonRoot':null | ``
          'securityContext':{'runAsNonRoot':false} | `` | runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)
          'securityContext':{'runAsNonRoot':true} | 'runAsNonRoot':false | runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)
          'hostUsers':false | 'runAsNonRoot':false,'runAsUser':0 | runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false), runAsUser=0 (container "c" must not set runAsUser=0)
          'securityContext':{'runAsUser':0} | 'runAsUser':1 | runAsUser=0 (pod must not set runAsUser=0)
          `` | 'seccompProfile':null | seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")
          'securityContext':{'seccompProfile':{'type':'Localhost'}} | 'seccompProfile':null | ``
          'securityContext':{'seccompProfile':{'type':'Unconfined'}} | `` | seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")
          `` | 'seccompProfile':{'type':'Unconfined'} | seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")
          """)
  void restricted_names(String spec, String container, String expected) {
    assertThat(found("restricted:latest", Pods.goodBut(spec, container))).isEqualTo(expected);
  }

  @Test
  void restricted_asksInitAndEphemeralContainersToo() {
    ObjectNode pod =
        Pods.goodBut("'initContainers':[{'name':'i'}],'ephemeralContainers':[{'name':'e'}]", "");
    assertThat(found("restricted:latest", pod))
        .isEqualTo(
            "allowPrivilegeEscalation != false (containers \"i\", \"e\" must set"
                + " securityContext.allowPrivilegeEscalation=false), unrestricted capabilities"
                + " (containers \"i\", \"e\" must set securityContext.capabilities.drop=[\"ALL\"]),"
                + " runAsNonRoot != true (pod or containers \"i\", \"e\" must set"
                + " securityContext.runAsNonRoot=true), seccompProfile (pod or containers \"i\","
                + " \"e\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                + " \"Localhost\")");
  }

  /** What a version finds that the one before it, or after it, does not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          baseline:v1.33   | baseline:v1.34   | 'containers':[{'name':'c','livenessProbe':{'httpGet':{'host':'h'}}}]
          baseline:v1.18   | baseline:v1.19   | 'securityContext':{'seccompProfile':{'type':'Unconfined'}}
          baseline:v1.27   | baseline:v1.26   | 'securityContext':{'sysctls':[{'name':'net.ipv4.ip_local_reserved_ports'}]}
          baseline:v1.29   | baseline:v1.28   | 'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_fin_timeout'}]}
          baseline:v1.32   | baseline:v1.31   | 'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_wmem'}]}
          baseline:v1.31   | baseline:v1.30   | 'securityContext':{'seLinuxOptions':{'type':'container_engine_t'}}
          restricted:v1.7  | restricted:v1.8  | 'securityContext':{'runAsNonRoot':true}
          restricted:v1.18 | restricted:v1.19 | 'securityContext':{'runAsNonRoot':true},'containers':[{'name':'c','securityContext':{'allowPrivilegeEscalation':false}}]
          restricted:v1.21 | restricted:v1.22 | 'securityContext':{'runAsNonRoot':true,'seccompProfile':{'type':'Localhost'}},'containers':[{'name':'c','securityContext':{'allowPrivilegeEscalation':false,'capabilities':{'add':['CHOWN']}}}]
          restricted:v1.22 | restricted:v1.23 | 'securityContext':{'runAsUser':0,'runAsNonRoot':true,'seccompProfile':{'type':'Localhost'}},'containers':[{'name':'c','securityContext':{'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL']}}}]
          restricted:v1.25 | restricted:v1.24 | 'os':{'name':'windows'},'securityContext':{'runAsNonRoot':true}
          """)
  void version_decides(String allows, String refuses, String spec) {
    assertThat(found(allows, Pods.of(spec))).isEmpty();
    assertThat(found(refuses, Pods.of(spec))).isNotEmpty();
  }

  @Test
  void windows_excusesOnlyWhatItCannotSet() {
    ObjectNode pod = Pods.of("'os':{'name':'windows'},'hostNetwork':true");
    assertThat(found("restricted:latest", pod))
        .isEqualTo(
            "host namespaces (hostNetwork=true), runAsNonRoot != true (pod or container \"c\" must"
                + " set securityContext.runAsNonRoot=true)");
    assertThat(found("restricted:v1.24", pod))
        .contains("allowPrivilegeEscalation", "unrestricted capabilities", "seccompProfile");
  }

  @Test
  void milderCheck_isLeftOutWhereAStricterOneTellsTheSame() {
    ObjectNode pod = Pods.goodBut("'volumes':[{'name':'h','hostPath':{}}]", "'capabilities':{}");
    assertThat(Standards.check(at("restricted:latest"), pod).reasons())
        .isEqualTo("unrestricted capabilities, restricted volume types");
    ((ObjectNode) pod.path("spec").path("containers").path(0).path("securityContext"))
        .set("capabilities", Pods.json("{'add':['SYS_TIME']}"));
    assertThat(Standards.check(at("restricted:v1.21"), pod).reasons())
        .isEqualTo("non-default capabilities, restricted volume types");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.34", "v1.35", "v1.99999999999", "latest"})
  void versionThatIsNotThereYet_isTheNewest(String version) {
    ObjectNode pod =
        Pods.of("'containers':[{'name':'c','livenessProbe':{'httpGet':{'host':'h'}}}]");
    assertThat(found("baseline:" + version, pod)).startsWith("probe or lifecycle host");
  }

  @Test
  void oldAnnotations_countAsTheyDidThen() {
    ObjectNode pod = Pods.of("");
    ((ObjectNode) pod.path("metadata"))
        .set(
            "annotations",
            Pods.json(
                "{'seccomp.security.alpha.kubernetes.io/pod':'unconfined',"
                    + "'container.seccomp.security.alpha.kubernetes.io/c':'x',"
                    + "'container.seccomp.security.alpha.kubernetes.io/d':'x',"
                    + "'container.apparmor.security.beta.kubernetes.io/c':'unconfined',"
                    + "'container.apparmor.security.beta.kubernetes.io/d':'localhost/x'}"));
    String appArmor =
        "forbidden AppArmor profile (annotation must not set AppArmor profile type to"
            + " \"container.apparmor.security.beta.kubernetes.io/c=\"unconfined\"\")";
    assertThat(found("baseline:latest", pod)).isEqualTo(appArmor);
    assertThat(found("baseline:v1.18", pod))
        .isEqualTo(
            appArmor
                + ", seccompProfile (forbidden annotations"
                + " container.seccomp.security.alpha.kubernetes.io/c=\"x\","
                + " seccomp.security.alpha.kubernetes.io/pod=\"unconfined\")");
  }

  @Test
  void podOfNothing_violatesNothing() {
    assertThat(found("baseline:latest", Pods.json("{}"))).isEmpty();
    assertThat(found("restricted:latest", Pods.json("{'spec':null}"))).isEmpty();
  }
}

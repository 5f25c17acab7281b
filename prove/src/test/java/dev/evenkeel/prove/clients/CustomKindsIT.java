package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.define.Column;
import dev.evenkeel.kernel.define.CustomDefinition;
import dev.evenkeel.kernel.define.CustomKind;
import dev.evenkeel.kernel.define.Doc;
import dev.evenkeel.kernel.define.Limits;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A kind whose author wrote a record, used by people who type. */
@NeedsProgram("kubectl")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CustomKindsIT {

  record Berth(String name, int boats) {}

  record Spec(
      @Column @Doc("How deep the water is, in metres.") @Limits(min = 1, max = 30) int depth,
      @Limits(defaultValue = "2") int cranes,
      @Limits(selectable = true) @Nullable String owner,
      @Limits(keys = "name") @Nullable List<Berth> berths) {}

  record State(int cranes) {}

  @CustomKind(
      group = "sea.example.com",
      version = "v1",
      shortNames = "hb",
      categories = "all",
      replicas = "spec.cranes",
      statusReplicas = "status.cranes")
  @Doc("A place where boats are safe.")
  record Harbour(Spec spec, State status) {}

  private static final String HARBOUR =
      """
      apiVersion: sea.example.com/v1
      kind: Harbour
      metadata: {name: home}
      spec: {depth: 12, owner: town, berths: [{name: a, boats: 1}, {name: b, boats: 3}]}
      """;

  private RunningServer server;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder);
    kubectl = new Kubectl(folder, server.kubeconfig(), Map.of());
    define();
  }

  private void define() {
    var _ = kubectl.okWith(CustomDefinition.of(Harbour.class).toString(), "apply", "-f", "-");
    var _ =
        kubectl.ok(
            "wait", "--for=condition=Established", "crd/harbours.sea.example.com", "--timeout=5s");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String failure(String input, String... arguments) {
    Kubectl.Result result = kubectl.runWith(input, arguments);
    assertThat(result.code()).isNotZero();
    return result.err();
  }

  @Test
  void aDefinedKind_isLikeAnyOther() {
    assertThat(kubectl.okWith(HARBOUR, "apply", "-f", "-"))
        .isEqualTo("harbour.sea.example.com/home created\n");
    assertThat(kubectl.okWith(HARBOUR, "apply", "-f", "-"))
        .isEqualTo("harbour.sea.example.com/home unchanged\n");
    assertThat(kubectl.ok("get", "hb")).matches("NAME   DEPTH   AGE\nhome   12      \\d+s\n");
    assertThat(kubectl.ok("get", "hb", "home", "-o", "jsonpath={.spec.cranes}")).isEqualTo("2");
    assertThat(kubectl.ok("get", "hb", "--field-selector", "spec.owner=town", "-o", "name"))
        .isEqualTo("harbour.sea.example.com/home\n");
    assertThat(kubectl.ok("get", "all")).contains("harbour.sea.example.com/home");
    assertThat(kubectl.ok("scale", "hb/home", "--replicas=4"))
        .isEqualTo("harbour.sea.example.com/home scaled\n");
    assertThat(kubectl.ok("get", "hb", "home", "-o", "jsonpath={.spec.cranes}")).isEqualTo("4");
    assertThat(kubectl.ok("patch", "hb", "home", "--type=merge", "-p", "{\"spec\":{\"depth\":14}}"))
        .isEqualTo("harbour.sea.example.com/home patched\n");
    assertThat(kubectl.ok("describe", "hb", "home")).containsPattern("Depth: +14");
    assertThat(kubectl.ok("label", "hb", "home", "quay=north"))
        .isEqualTo("harbour.sea.example.com/home labeled\n");
  }

  @Test
  void explain_andValidation_knowTheRecord() {
    assertThat(kubectl.ok("explain", "harbour"))
        .contains("GROUP:      sea.example.com")
        .contains("A place where boats are safe.");
    assertThat(kubectl.ok("explain", "harbour.spec.depth"))
        .contains("FIELD: depth <integer>")
        .contains("How deep the water is, in metres.");
    assertThat(
            failure(
                HARBOUR.replace("owner: town", "ownr: town").replace("home", "typo"),
                "create",
                "-f",
                "-"))
        .contains("strict decoding error: unknown field \"spec.ownr\"");
    assertThat(
            failure(
                HARBOUR.replace("depth: 12", "depth: 99").replace("home", "deep"),
                "create",
                "-f",
                "-"))
        .contains(
            "spec.depth: Invalid value: 99: spec.depth in body should be less than or equal to 30");
    assertThat(
            failure(
                HARBOUR.replace("{name: b", "{name: a").replace("home", "twice"),
                "create",
                "-f",
                "-"))
        .contains("spec.berths[1]: Duplicate value: {\"name\":\"a\"}");
  }
}

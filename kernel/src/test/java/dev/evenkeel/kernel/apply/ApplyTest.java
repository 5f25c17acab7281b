package dev.evenkeel.kernel.apply;

import static dev.evenkeel.kernel.apply.SampleKind.json;
import static dev.evenkeel.kernel.apply.SampleKind.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class ApplyTest {

  private final Updater updater = new Updater(SampleKind.ONE_VERSION, SampleKind.V1);
  private ObjectNode live = json("{}");
  private ManagedFields managers = ManagedFields.NONE;

  private void apply(String who, String spec, boolean force) {
    ObjectNode config = json("{'spec':" + spec + "}");
    Updater.Applied applied =
        updater.apply(
            live.isEmpty() ? null : live, config, managers, Manager.applier(who, ""), force, "t");
    live = applied.object();
    managers = applied.managers();
  }

  private void update(String who, String spec) {
    ObjectNode next = json("{'spec':" + spec + "}");
    managers = updater.update(live, next, managers, who, "", "t");
    live = next;
  }

  private String spec() {
    return text(live.path("spec"));
  }

  private String ownedBy(String who) {
    return managers.owned().entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(who))
        .map(entry -> text(entry.getValue().fields().toJson()))
        .findFirst()
        .orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "['a','b','c'] | ['c','a'] | ['b','c','a']",
        "['a','b'] | ['n','a'] | ['n','a','b']",
        "['a','b'] | ['b','n'] | ['a','b','n']",
        "['a','b','c','d'] | ['d','n','b'] | ['a','c','d','n','b']",
        "['a'] | [] | ['a']"
      })
  void sets_takeTheAppliedOrder_aroundWhatIsOnlyLive(String before, String applied, String after) {
    assertThat(
            text(
                Merge.of(
                        json("{'spec':{'words':" + before + "}}"),
                        json("{'spec':{'words':" + applied + "}}"),
                        SampleKind.THING)
                    .path("spec")
                    .path("words")))
        .isEqualTo(after);
  }

  @Test
  void itemsOfListMaps_areMergedByTheirKeys_withDefaults() {
    apply("one", "{'containers':[{'name':'c','ports':[{'port':80,'name':'web'}]}]}", false);
    apply(
        "two",
        "{'containers':[{'name':'c','image':'i','ports':[{'port':80,'protocol':'TCP'},{'port':80,'protocol':'UDP'}]}]}",
        false);
    assertThat(spec())
        .isEqualTo(
            "{'containers':[{'name':'c','ports':[{'port':80,'name':'web','protocol':'TCP'},"
                + "{'port':80,'protocol':'UDP'}],'image':'i'}]}");
  }

  @Test
  void atomicParts_areReplacedWhole() {
    apply("one", "{'selector':{'a':'1','b':'2'},'free':{'x':[1,2],'y':1}}", false);
    apply("one", "{'selector':{'c':'3'},'free':{'x':[3]}}", false);
    assertThat(spec()).isEqualTo("{'selector':{'c':'3'},'free':{'x':[3]}}");
  }

  @Test
  void whatAnApplierGaveUp_goes_unlessAnotherOwnsIt() {
    apply("one", "{'replicas':1,'labels':{'a':'1','b':'2'},'words':['x','y']}", false);
    apply("two", "{'labels':{'b':'2'},'words':['y']}", false);
    update("three", "{'replicas':1,'labels':{'a':'1','b':'2','c':'3'},'words':['x','y']}");
    apply("one", "{'words':['z']}", false);
    assertThat(spec()).isEqualTo("{'labels':{'b':'2','c':'3'},'words':['y','z']}");
    assertThat(ownedBy("one")).isEqualTo("{'f:spec':{'f:words':{'v:\\'z\\'':{}}}}");
  }

  @Test
  void anEmptiedParent_goesToo() {
    apply("one", "{'replicas':1,'inner':{'a':'1'},'containers':[{'name':'c'}]}", false);
    apply("one", "{'replicas':1}", false);
    assertThat(spec()).isEqualTo("{'replicas':1}");
  }

  @Test
  void conflicts_nameManagerVersionAndField() {
    update("kubectl", "{'replicas':1,'labels':{'a':'1'}}");
    apply("one", "{'inner':{'a':'1'}}", false);
    ConflictException conflict =
        catchThrowableOfType(
            ConflictException.class,
            () -> apply("two", "{'replicas':2,'labels':{'a':'2'},'inner':{'a':'2'}}", false));
    assertThat(conflict)
        .hasMessage(
            "Apply failed with 3 conflicts: conflicts with \"kubectl\" using v1:\n"
                + "- .spec.replicas\n- .spec.labels.a\nconflicts with \"one\":\n- .spec.inner.a");
    assertThatThrownBy(() -> apply("two", "{'replicas':2}", false))
        .hasMessage(
            "Apply failed with 1 conflict: conflict with \"kubectl\" using v1: .spec.replicas");
    apply("two", "{'replicas':2}", true);
    assertThat(ownedBy("kubectl")).isEqualTo("{'f:spec':{'.':{},'f:labels':{'.':{},'f:a':{}}}}");
    assertThat(spec()).contains("'replicas':2");
  }

  @Test
  void theSameValue_isSharedWithoutConflict() {
    apply("one", "{'replicas':2}", false);
    apply("two", "{'replicas':2}", false);
    assertThat(ownedBy("one")).isEqualTo(ownedBy("two"));
    apply("one", "{'inner':{}}", false);
    assertThat(spec()).contains("'replicas':2");
  }

  @Test
  void objectsWithoutManagers_getOneForWhatWasThere() {
    live = json("{'spec':{'replicas':1}}");
    assertThatThrownBy(() -> apply("one", "{'replicas':2}", false))
        .hasMessage(
            "Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1:"
                + " .spec.replicas");
  }

  @Test
  void anUpdate_takesWhatItChanges() {
    apply("one", "{'replicas':1,'labels':{'a':'1','b':'2'}}", false);
    update("two", "{'replicas':5,'labels':{'a':'1'},'words':['x']}");
    assertThat(ownedBy("one")).isEqualTo("{'f:spec':{'f:labels':{'f:a':{}}}}");
    assertThat(ownedBy("two"))
        .isEqualTo("{'f:spec':{'f:replicas':{},'f:words':{'.':{},'v:\\'x\\'':{}}}}");
  }

  @Test
  void updatersBeyondTen_areFolded() {
    for (int i = 0; i < 15; i++) {
      String labels = "";
      for (int j = 0; j <= i; j++) {
        labels += (j == 0 ? "" : ",") + "'l" + j + "':'x'";
      }
      managers =
          updater.update(
              live,
              json("{'spec':{'labels':{" + labels + "}}}"),
              managers,
              "u" + i,
              "",
              "2026-01-01T00:00:%02dZ".formatted(i));
      live = json("{'spec':{'labels':{" + labels + "}}}");
    }
    assertThat(managers.owned()).hasSize(10);
    assertThat(ownedBy("ancient-changes")).contains("f:l0", "f:l5").doesNotContain("f:l6'");
    assertThat(ownedBy("u14")).contains("f:l14");
  }

  @Test
  void entries_readAsTheyAreWritten() {
    apply("one", "{'replicas':1}", false);
    managers = updater.update(live, json("{'spec':{'replicas':2}}"), managers, "two", "scale", "s");
    assertThat(text(managers.toJson()))
        .isEqualTo(
            "[{'manager':'two','operation':'Update','apiVersion':'v1','time':'s',"
                + "'fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:replicas':{}}},"
                + "'subresource':'scale'}]");
    assertThat(ManagedFields.fromJson(managers.toJson())).isEqualTo(managers);
  }

  @Test
  void managersOfOneSecond_standInTheOrderOfTheirNames() {
    ObjectNode nothing = json("{}");
    ObjectNode first = json("{'spec':{'replicas':1}}");
    ObjectNode second = json("{'spec':{'replicas':1,'labels':{'a':'b'}}}");
    managers = updater.update(nothing, first, ManagedFields.NONE, "zed", "", "s");
    ManagedFields inOneSecond = updater.update(first, second, managers, "amy", "", "s");
    assertThat(inOneSecond.toJson().findValuesAsString("manager")).containsExactly("amy", "zed");
    ManagedFields later = updater.update(first, second, managers, "amy", "", "t");
    assertThat(later.toJson().findValuesAsString("manager")).containsExactly("zed", "amy");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{'foo':1} | .spec.foo: field not declared in schema",
        "{'replicas':'x'} | .spec.replicas: expected numeric (int or float), got string",
        "{'inner':{'a':1}} | .spec.inner.a: expected string, got &value.valueUnstructured{Value:1}",
        "{'words':{}} | .spec.words: expected list, got &{map[]}",
        "{'inner':[1]} | .spec.inner: expected map, got &{[1]}",
        "{'words':['a','a']} | .spec.words: duplicate entries for key [='a']",
        "{'containers':[{'name':'a'},{'name':'a'}]} | .spec.containers: duplicate entries for key"
            + " [name='a']",
        "{'containers':[{'image':'a'}]} | .spec.containers: element 0: associative list with keys"
            + " has an element that omits all key fields ['name'] (and doesn't have default values"
            + " for any key fields)"
      })
  void whatDoesNotFit_isRefused(String spec, String message) {
    assertThatThrownBy(() -> TypeCheck.check(json("{'spec':" + spec + "}"), SampleKind.THING))
        .hasMessage(message.replace("'a'", "\"a\"").replace("['name']", "[\"name\"]"));
  }
}

package dev.evenkeel.serve.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodPartsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          false | 'containers':[{'name':'c','image':'a'}] | 'containers':[{'name':'c','image':'a','resources':{}}],'tolerations':[]
          true  | 'containers':[{'name':'c','image':'a'}] | 'containers':[{'name':'c','image':'b'}]
          true  | 'initContainers':[{'name':'c','image':'a'}] | 'initContainers':[{'name':'c','image':'b'}]
          true  | 'containers':[{'name':'c','image':'a'}] | 'containers':[{'name':'c','image':'a'},{'name':'d','image':'a'}]
          true  | 'containers':[] | 'ephemeralContainers':[{'name':'e','image':'a'}]
          true  | 'ephemeralContainers':[{'name':'e','image':'a'}] | 'ephemeralContainers':[{'name':'e','image':'b'}]
          false | 'ephemeralContainers':[{'name':'e','image':'a'},{'name':'f'}] | 'ephemeralContainers':[{'name':'e','image':'a'}]
          false | 'hostNetwork':true | 'hostNetwork':false
          """)
  void images_andContainers_areWhatCanChange(boolean changed, String before, String after) {
    assertThat(PodParts.isChanged(Pods.of(after), Pods.of(before))).isEqualTo(changed);
  }

  @Test
  void template_isWhereItsKindHasIt() {
    assertThat(PodParts.template("podtemplates", Pods.json("{'template':{'spec':{}}}")).has("spec"))
        .isTrue();
    assertThat(
            PodParts.template(
                    "cronjobs",
                    Pods.json("{'spec':{'jobTemplate':{'spec':{'template':{'spec':{}}}}}}"))
                .has("spec"))
        .isTrue();
    assertThat(
            PodParts.template("jobs", Pods.json("{'spec':{'template':{'spec':{}}}}")).has("spec"))
        .isTrue();
    assertThat(
            PodParts.template("replicationcontrollers", Pods.json("{'spec':{}}")).isMissingNode())
        .isTrue();
  }
}

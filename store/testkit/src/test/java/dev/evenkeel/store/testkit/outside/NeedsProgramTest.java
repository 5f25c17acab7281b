package dev.evenkeel.store.testkit.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class NeedsProgramTest {

  @Test
  void missingProgram_skipsWithReasonOutsideCi() {
    assertThat(run(WholeClass.class, false))
        .containsExactly(
            "NeedsProgramTest$WholeClass skipped: not on the PATH: no-such-program; install it, or"
                + " run ./check as root");
  }

  @Test
  void missingProgram_failsClassUnderCiBeforeItsOwnSetup() {
    List<String> outcomes = run(WholeClass.class, true);
    assertThat(outcomes).hasSize(1);
    assertThat(outcomes.getFirst())
        .startsWith("NeedsProgramTest$WholeClass FAILED: not on the PATH: no-such-program");
  }

  @Test
  void missingProgram_concernsOnlyTheMethodThatNeedsIt() {
    assertThat(run(OneMethod.class, false))
        .hasSize(2)
        .anySatisfy(outcome -> assertThat(outcome).startsWith("needsIt() skipped"))
        .anySatisfy(outcome -> assertThat(outcome).startsWith("doesNot() SUCCESSFUL"));
    assertThat(run(OneMethod.class, true))
        .hasSize(2)
        .anySatisfy(outcome -> assertThat(outcome).startsWith("needsIt() FAILED"))
        .anySatisfy(outcome -> assertThat(outcome).startsWith("doesNot() SUCCESSFUL"));
  }

  @Test
  void programsThatAreThere_letTheTestRun() {
    assertThat(run(Present.class, true)).containsExactly("runs() SUCCESSFUL: ");
  }

  @Test
  void severalPrograms_areAllLookedFor() {
    assertThat(run(Several.class, false))
        .singleElement()
        .asString()
        .contains("no-such-program, no-other-program");
  }

  private static List<String> run(Class<?> testClass, boolean missingFails) {
    var outcomes = new ArrayList<String>();
    var listener =
        new TestExecutionListener() {
          @Override
          public void executionSkipped(TestIdentifier test, String reason) {
            outcomes.add(test.getDisplayName() + " skipped: " + reason);
          }

          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
              String message = result.getThrowable().map(Throwable::getMessage).orElse("");
              outcomes.add(test.getDisplayName() + " " + result.getStatus() + ": " + message);
            }
          }
        };
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(testClass))
            .configurationParameter(
                NeedsProgramExtension.MISSING_FAILS, Boolean.toString(missingFails))
            .build();
    LauncherFactory.create().execute(request, listener);
    return outcomes;
  }

  // The names keep these out of the build's own run: they are run by the tests above only.

  @NeedsProgram("no-such-program")
  static class WholeClass {
    @BeforeAll
    static void neverReached() {
      assertThat("the class's own setup").isEqualTo("not run");
    }

    @Test
    void neverReachedEither() {}
  }

  static class OneMethod {
    @Test
    @NeedsProgram("no-such-program")
    void needsIt() {}

    @Test
    void doesNot() {}
  }

  @NeedsProgram("sh")
  static class Present {
    @Test
    void runs() {}
  }

  @NeedsProgram("no-such-program")
  @NeedsProgram("sh")
  @NeedsProgram("no-other-program")
  static class Several {
    @Test
    void neverReached() {}
  }
}

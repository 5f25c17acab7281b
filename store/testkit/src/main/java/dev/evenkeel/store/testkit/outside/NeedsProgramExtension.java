package dev.evenkeel.store.testkit.outside;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * What {@link NeedsProgram} does.
 *
 * <p>A condition can skip a test but not fail it, and a callback's exception fails it but reads
 * badly as a skip. So there are both: on a developer's machine the condition skips, with the reason
 * in the report; under CI the condition lets the test through and the callback fails it before
 * anything of the test's own runs.
 */
final class NeedsProgramExtension
    implements ExecutionCondition, BeforeAllCallback, BeforeEachCallback {

  /** A JUnit configuration parameter, {@code true} or {@code false}, that overrules {@code CI}. */
  static final String MISSING_FAILS = "evenkeel.outside.missing.fails";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    List<String> missing = missingPrograms(context);
    if (missing.isEmpty() || missingFails(context)) {
      return ConditionEvaluationResult.enabled("all programs are there, or their absence fails");
    }
    return ConditionEvaluationResult.disabled(reason(missing));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    failIfMissing(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    failIfMissing(context);
  }

  private static void failIfMissing(ExtensionContext context) {
    List<String> missing = missingPrograms(context);
    if (!missing.isEmpty()) {
      throw new AssertionError(reason(missing));
    }
  }

  private static List<String> missingPrograms(ExtensionContext context) {
    return context.getElement().stream()
        .flatMap(
            element ->
                AnnotationSupport.findRepeatableAnnotations(element, NeedsProgram.class).stream())
        .map(NeedsProgram::value)
        .filter(name -> onPath(name).isEmpty())
        .toList();
  }

  private static boolean missingFails(ExtensionContext context) {
    return context
        .getConfigurationParameter(MISSING_FAILS)
        .map(Boolean::parseBoolean)
        .orElseGet(() -> Boolean.parseBoolean(System.getenv("CI")));
  }

  private static String reason(List<String> missing) {
    return "not on the PATH: "
        + String.join(", ", missing)
        + "; install it, or run ./check as root";
  }

  /** Where the program is, looked for the way a shell does. */
  private static Optional<Path> onPath(String name) {
    String path = System.getenv("PATH");
    return Optional.ofNullable(path).stream()
        .flatMap(folders -> List.of(folders.split(File.pathSeparator, -1)).stream())
        .map(folder -> Path.of(folder, name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}

package dev.evenkeel.testing.invariant;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails the test during which an invariant was violated, whether or not the test noticed anything;
 * and the class, if it happened between its tests.
 *
 * <p>A test that has one violated on purpose says so: {@link #expected}.
 *
 * <p>It knows the kernel by name only, because the kernel's own tests use it too: a module cannot
 * depend on one that depends on it.
 *
 * <p><b>Threading:</b> of the tests, which run one after the other.
 */
public final class InvariantsHold
    implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

  private static final String INVARIANTS = "dev.evenkeel.kernel.invariant.Invariants";

  private static final int SHOWN_MAX = 8;

  /** So many violations have been told of, or were expected. */
  private static long told;

  @Override
  public void beforeAll(ExtensionContext context) {
    check("before " + context.getDisplayName());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    check("during " + context.getDisplayName());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    check("in " + context.getDisplayName() + ", between its tests");
  }

  private static void check(String when) {
    List<String> violations = expected();
    if (!violations.isEmpty()) {
      List<String> newest =
          violations.subList(Math.max(0, violations.size() - SHOWN_MAX), violations.size());
      throw new AssertionError(
          violations.size() + " violations of invariants " + when + ", the newest: " + newest);
    }
  }

  /**
   * The violations since the last that were told of, each as {@code name: evidence}; they fail
   * nothing any more. Of very many only the newest are known by their evidence.
   */
  public static List<String> expected() {
    long total = ((Number) ask("total")).longValue();
    List<?> newest = (List<?>) ask("newest");
    List<String> violations = new ArrayList<>();
    long unknown = total - told - newest.size();
    for (int i = 0; i < unknown; i++) {
      violations.add("one whose evidence is forgotten");
    }
    long known = Math.min(total - told, newest.size());
    for (Object violation : newest.subList((int) (newest.size() - known), newest.size())) {
      violations.add(violation.toString());
    }
    told = total;
    return violations;
  }

  private static Object ask(String method) {
    try {
      return Class.forName(INVARIANTS).getMethod(method).invoke(null);
    } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalStateException(INVARIANTS + "." + method + "() is to be there", e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(INVARIANTS + "." + method + "() failed", e);
    }
  }
}

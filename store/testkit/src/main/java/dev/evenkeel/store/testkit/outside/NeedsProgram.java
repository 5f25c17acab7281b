package dev.evenkeel.store.testkit.outside;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test, or all tests of the class, run a program of this name from the {@code PATH}. Where it
 * is missing they fail if the environment says {@code CI=true}, and are skipped with the reason
 * elsewhere. They carry the tag {@code outside}, which the fast check leaves out.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(NeedsProgram.All.class)
@Tag(NeedsProgram.TAG)
@ExtendWith(NeedsProgramExtension.class)
public @interface NeedsProgram {

  /** The tag of all tests that need a program outside the JVM. */
  String TAG = "outside";

  /** The program's name, as one would type it. */
  String value();

  /** Several programs: what the compiler writes for a repeated annotation. */
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @Documented
  @Inherited
  @Tag(TAG)
  @ExtendWith(NeedsProgramExtension.class)
  @interface All {
    NeedsProgram[] value();
  }
}

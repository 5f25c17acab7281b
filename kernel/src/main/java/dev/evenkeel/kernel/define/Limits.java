package dev.evenkeel.kernel.define;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the values of a field must keep to. */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Limits {

  /** The least number, or the least length of a string, a list or a map. */
  long min() default Long.MIN_VALUE;

  /** The largest number, or the largest length of a string, a list or a map. */
  long max() default Long.MAX_VALUE;

  /** What a string must match, in RE2's syntax. */
  String pattern() default "";

  /** Filled in where the field is absent; as JSON, or as it is for a string. */
  String defaultValue() default "";

  /** For a list of records: the components that tell its items apart. */
  String[] keys() default {};

  /** Whether field selectors may name it. */
  boolean selectable() default false;
}

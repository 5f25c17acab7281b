package dev.evenkeel.kernel.define;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What must hold of a field or of a whole record, in CEL. */
@Documented
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Rule.All.class)
public @interface Rule {

  /** For example {@code self.min <= self.max}. */
  String value();

  /** What users are told; the rule itself if it is empty. */
  String message() default "";

  /** Several of them. */
  @Documented
  @Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
  @Retention(RetentionPolicy.RUNTIME)
  @interface All {
    Rule[] value();
  }
}

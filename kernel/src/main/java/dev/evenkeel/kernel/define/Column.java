package dev.evenkeel.kernel.define;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Has {@code kubectl get} show a field. */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Column {

  /** The column's head; the field's name if it is empty. */
  String value() default "";

  /** More than 0 for {@code -o wide} alone. */
  int priority() default 0;
}

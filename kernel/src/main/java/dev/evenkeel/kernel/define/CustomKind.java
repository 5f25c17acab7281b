package dev.evenkeel.kernel.define;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a record a kind of its own. Its components are the fields beside {@code metadata}: mostly
 * {@code spec} and {@code status}. See {@link CustomDefinition}.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface CustomKind {

  /** For example {@code example.com}. */
  String group();

  /** For example {@code v1}. */
  String version();

  /** The record's simple name if it is empty. */
  String kind() default "";

  /** The kind in lower case with an s if it is empty. */
  String plural() default "";

  String[] shortNames() default {};

  String[] categories() default {};

  boolean namespaced() default true;

  /** Where {@code kubectl scale} finds the replicas, such as {@code spec.replicas}. */
  String replicas() default "";

  /** Where the replicas there are stand. */
  String statusReplicas() default "status.replicas";
}

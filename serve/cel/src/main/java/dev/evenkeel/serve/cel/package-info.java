/**
 * Expressions of the Common Expression Language, as Kubernetes has it: compiled against the schema
 * of what they look at, with an estimate of their worst cost, and run with a count of their real
 * one. Custom kinds and admission policies use it; it knows neither.
 */
@NullMarked
package dev.evenkeel.serve.cel;

import org.jspecify.annotations.NullMarked;

/**
 * Which values are equal and which comes first, whatever they are made of: values made by an
 * expression, and views of JSON. Operators and lists ask it.
 */
@NullMarked
package dev.evenkeel.serve.cel.comparison;

import org.jspecify.annotations.NullMarked;

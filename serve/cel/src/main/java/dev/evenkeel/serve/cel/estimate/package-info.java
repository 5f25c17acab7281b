/** The worst cost of an expression, from the limits of the schema alone. */
@NullMarked
package dev.evenkeel.serve.cel.estimate;

import org.jspecify.annotations.NullMarked;

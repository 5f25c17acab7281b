/**
 * Structural schemas, as definitions of custom kinds carry them: compiled once, then used to drop
 * what is unknown, to fill in defaults and to validate.
 */
@NullMarked
package dev.evenkeel.serve.kinds.structural;

import org.jspecify.annotations.NullMarked;

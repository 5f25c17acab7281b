/**
 * Who asks. A request passes here first and becomes a caller; what callers may is said in {@code
 * rights}.
 */
@NullMarked
package dev.evenkeel.serve.caller;

import org.jspecify.annotations.NullMarked;

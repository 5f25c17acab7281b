/**
 * Who asks, and what they may. A request passes here first: it becomes a caller, who may act as
 * somebody else, and is refused what it may not do.
 */
@NullMarked
package dev.evenkeel.serve.caller;

import org.jspecify.annotations.NullMarked;

/**
 * A request on its way: what it asks for, what its body carries (an object, a patch or a
 * configuration to apply) and what its answer must look like. Made before the registry, used by
 * every room behind it; it knows no kind's state.
 */
@NullMarked
package dev.evenkeel.serve.call;

import org.jspecify.annotations.NullMarked;

/**
 * Gets, lists and watches: how fresh they must be, where a list goes on, and what a watch begins
 * with. Answered from the watch cache, and from the store where the cache does not reach back far
 * enough.
 */
@NullMarked
package dev.evenkeel.serve.read;

import org.jspecify.annotations.NullMarked;

/**
 * The watch cache: for each kind the newest state as an immutable tree, and one log of what changed
 * lately. Reads walk a tree nobody changes; a watcher is a position in a log that everybody shares.
 * It follows the store through one subscription per kind and sits between it and the registry.
 */
@NullMarked
package dev.evenkeel.serve.cache;

import org.jspecify.annotations.NullMarked;

/**
 * A sorted map that nobody changes: a change makes a new one beside it. The server's watch cache
 * and the client's informer cache keep their objects in it.
 */
@NullMarked
package dev.evenkeel.kernel.tree;

import org.jspecify.annotations.NullMarked;

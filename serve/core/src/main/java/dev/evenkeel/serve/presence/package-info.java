/**
 * What the servers of a cluster say of themselves: which of them are alive, where they are reached,
 * and which groups they serve. All of it is objects that any client can read, written as any client
 * would write them.
 */
@NullMarked
package dev.evenkeel.serve.presence;

import org.jspecify.annotations.NullMarked;

/**
 * Fan-out of changes to watches, the same for every engine. A {@link
 * dev.evenkeel.store.engine.watch.PrefixFeed} takes one prefix's changes once, from wherever its
 * engine gets them, and serves any number of readers, each at a pace of its own.
 */
@NullMarked
package dev.evenkeel.store.engine.watch;

import org.jspecify.annotations.NullMarked;

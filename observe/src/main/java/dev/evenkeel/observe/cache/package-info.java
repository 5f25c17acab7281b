/**
 * Local copies of what a server has: an {@link dev.evenkeel.observe.cache.Informer} for each kind
 * and scope, shared through {@link dev.evenkeel.observe.cache.Informers}. Readers take a snapshot,
 * which never changes and has a version; listeners are told of every change. The last step of
 * observing: what decides reads here.
 */
@NullMarked
package dev.evenkeel.observe.cache;

import org.jspecify.annotations.NullMarked;

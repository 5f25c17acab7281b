/**
 * The authoritative store's contract: the first stage of the flow, on which everything else stands.
 *
 * <p>A store is a map from keys to values with one history. Every change has a revision, one number
 * for the whole store; a transaction's changes share one. What was, can be read again and watched
 * from any revision that has not been compacted. {@link dev.evenkeel.store.Store} is the whole
 * surface; engines are modules of their own, judged by the suite in {@code store/testkit}.
 */
@NullMarked
package dev.evenkeel.store;

import org.jspecify.annotations.NullMarked;

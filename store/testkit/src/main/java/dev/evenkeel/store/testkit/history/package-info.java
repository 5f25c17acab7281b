/**
 * Recorded concurrent histories and their judge.
 *
 * <p>{@link dev.evenkeel.store.testkit.history.HistoryWorkload} lets clients and watchers loose on
 * a store and records what each was told and when; {@link
 * dev.evenkeel.store.testkit.history.HistoryChecker} says, afterwards and without the store,
 * whether all of it can be true at once.
 */
@NullMarked
package dev.evenkeel.store.testkit.history;

import org.jspecify.annotations.NullMarked;

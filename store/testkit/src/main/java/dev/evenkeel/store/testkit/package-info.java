/**
 * The one suite by which every engine of the store is judged, written from the contract alone.
 *
 * <p>An engine's tests extend the abstract classes here and hand them a {@link
 * dev.evenkeel.store.testkit.StoreFixture}; {@code history} records what concurrent clients saw and
 * judges it, {@code outside} runs a real etcd.
 */
@NullMarked
package dev.evenkeel.store.testkit;

import org.jspecify.annotations.NullMarked;

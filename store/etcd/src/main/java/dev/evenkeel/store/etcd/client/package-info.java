/**
 * Calls to an etcd cluster: which member is asked, who asks, how long and how often, and what a
 * failure says about whether the call was sent. All other parts of the engine call etcd through it,
 * with keys that lie where its keyspace has them.
 */
@NullMarked
package dev.evenkeel.store.etcd.client;

import org.jspecify.annotations.NullMarked;

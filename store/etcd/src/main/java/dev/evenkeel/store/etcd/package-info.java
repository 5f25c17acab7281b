/**
 * The store in etcd: the engine for more than one API server. {@link
 * dev.evenkeel.store.etcd.EtcdStore} is the door; below it a request takes this way:
 *
 * <pre>
 *   EtcdStore ── Transactions, Settlement, RangeReader, SnapshotFile ──▶ EtcdClient ──▶ etcd
 *       └─ watch ── WatchHub ── PrefixFeed (one a prefix) ◀── Upstream (one an engine) ◀── etcd
 * </pre>
 *
 * <p>It uses jetcd's bindings of etcd's API and not jetcd's client. A write must be sent at most
 * once, and whoever gets no answer must know whether it was sent at all; the client tells neither.
 * Its watcher takes the revision of the "created" answer as its own position, so that a connection
 * lost during the catch-up loses events.
 */
@NullMarked
package dev.evenkeel.store.etcd;

import org.jspecify.annotations.NullMarked;

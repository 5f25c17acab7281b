/**
 * What pods take of nodes: a ledger beside each node in the store, charged in the transaction that
 * gives a pod its node and paid back in the one that ends it. So no client, of whatever kind, puts
 * more on a node than it has.
 */
@NullMarked
package dev.evenkeel.serve.allocation;

import org.jspecify.annotations.NullMarked;

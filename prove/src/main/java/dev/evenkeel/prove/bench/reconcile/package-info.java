/**
 * {@code evenkeel bench reconcile}: what a look of a controller costs that finds nothing to do,
 * from the queue to the record of its decision.
 */
@NullMarked
package dev.evenkeel.prove.bench.reconcile;

import org.jspecify.annotations.NullMarked;

/**
 * The store's benchmark: the same load on every engine, in one run on one disk, because only ratios
 * within a run say anything on a machine that others use too.
 */
@NullMarked
package dev.evenkeel.prove.bench.store;

import org.jspecify.annotations.NullMarked;

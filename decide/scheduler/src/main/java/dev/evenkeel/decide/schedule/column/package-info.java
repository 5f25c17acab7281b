/**
 * A cluster as columns: arrays with a place for each node, and sums over the domains of a topology,
 * all kept up to date change by change. Whoever computed something from them reads in the log which
 * places changed since, and looks at those only.
 */
@NullMarked
package dev.evenkeel.decide.schedule.column;

import org.jspecify.annotations.NullMarked;

/**
 * Runs the scheduler: follows the server into a picture of the cluster, keeps the pods that wait
 * for a node, places them, and has the placements committed. Selecting is the cache's, committing
 * is the server's: a placement that rests on something old is refused there and made anew.
 */
@NullMarked
package dev.evenkeel.decide.schedule.run;

import org.jspecify.annotations.NullMarked;

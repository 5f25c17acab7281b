/**
 * Runs the scheduler: follows the server into a picture of the cluster, takes pods from the queue,
 * places them, has the placements committed and what came of it reported. Selecting is the cache's,
 * committing is the server's: a placement that rests on something old is refused there and made
 * anew.
 */
@NullMarked
package dev.evenkeel.decide.schedule.run;

import org.jspecify.annotations.NullMarked;

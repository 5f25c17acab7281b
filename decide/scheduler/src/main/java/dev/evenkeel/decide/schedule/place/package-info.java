/**
 * Where pods go: a pure function from a pod and a cluster to a placement with its reasons. The
 * cluster is fed by whoever watches; nothing here waits, writes or asks anybody.
 */
@NullMarked
package dev.evenkeel.decide.schedule.place;

import org.jspecify.annotations.NullMarked;

/**
 * The work queue of a controller: which object to look at next, and why. What was observed adds
 * keys, workers take them and say how it went; in between the queue merges, orders, delays, backs
 * off and holds. It has no threads of its own and can be looked into at any time.
 */
@NullMarked
package dev.evenkeel.decide.queue;

import org.jspecify.annotations.NullMarked;

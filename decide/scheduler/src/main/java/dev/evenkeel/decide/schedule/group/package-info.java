/**
 * Pods that are of use only together: which groups there are and who is of them, which of them
 * holds room while it waits for more, and what their objects are told. The scheduler's {@code run}
 * asks this before it places a pod of a group.
 */
@NullMarked
package dev.evenkeel.decide.schedule.group;

import org.jspecify.annotations.NullMarked;

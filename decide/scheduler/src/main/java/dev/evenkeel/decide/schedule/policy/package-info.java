/** Policies for scheduling: which of them a pod is placed by. */
@NullMarked
package dev.evenkeel.decide.schedule.policy;

import org.jspecify.annotations.NullMarked;

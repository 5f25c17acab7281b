/**
 * What the scheduler is measured by: attempts, bindings, and how long pods wait for a node. Names
 * are those of kube-scheduler.
 */
@NullMarked
package dev.evenkeel.decide.schedule.metric;

import org.jspecify.annotations.NullMarked;

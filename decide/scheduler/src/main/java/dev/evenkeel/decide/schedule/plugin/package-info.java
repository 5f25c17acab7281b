/**
 * What users add to the scheduler: plain classes that implement some of these interfaces and are
 * named in {@code META-INF/services/dev.evenkeel.decide.schedule.plugin.SchedulerPlugin}. The
 * points are those of kube-scheduler's framework.
 *
 * <p>In the order of a pod's way: {@link dev.evenkeel.decide.schedule.plugin.QueueSort} says who is
 * next; {@link dev.evenkeel.decide.schedule.plugin.PreFilter} and {@link
 * dev.evenkeel.decide.schedule.plugin.Filter} reject; {@link
 * dev.evenkeel.decide.schedule.plugin.PostFilter} is asked when nothing is left; {@link
 * dev.evenkeel.decide.schedule.plugin.Score} chooses; {@link
 * dev.evenkeel.decide.schedule.plugin.Reserve}, {@link dev.evenkeel.decide.schedule.plugin.Permit}
 * and {@link dev.evenkeel.decide.schedule.plugin.Bind} come before the pod gets its node. Filters
 * and scores must depend on nothing but what they are given: a placement is repeated to explain it.
 */
@NullMarked
package dev.evenkeel.decide.schedule.plugin;

import org.jspecify.annotations.NullMarked;

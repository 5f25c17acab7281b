/**
 * What the scheduler says of its outcomes: conditions of pods, groups and policies, events, and
 * decision records. It comes last, after a placement was committed or found impossible, and is
 * written beside the scheduling, which does not wait for it.
 */
@NullMarked
package dev.evenkeel.decide.schedule.report;

import org.jspecify.annotations.NullMarked;

/**
 * What a reconciler is and gives: a pure function from an object and a view of others to a plan, an
 * ordered list of actions with their reasons, and what the plan has to know first. Nothing here
 * acts; {@code run} does.
 */
@NullMarked
package dev.evenkeel.decide.plan;

import org.jspecify.annotations.NullMarked;

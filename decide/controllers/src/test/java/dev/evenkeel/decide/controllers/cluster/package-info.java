/**
 * The controllers of nodes, disruption budgets and what else is of the whole cluster, in a
 * simulated world.
 */
@NullMarked
package dev.evenkeel.decide.controllers.cluster;

import org.jspecify.annotations.NullMarked;

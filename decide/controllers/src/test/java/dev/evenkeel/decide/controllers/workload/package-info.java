/** Tests of what is intricate in the workload controllers; the rest is simulated. */
@NullMarked
package dev.evenkeel.decide.controllers.workload;

import org.jspecify.annotations.NullMarked;

/** Controllers that keep pods running: as many as are wanted, of the kind that is wanted. */
@NullMarked
package dev.evenkeel.decide.controllers.workload;

import org.jspecify.annotations.NullMarked;

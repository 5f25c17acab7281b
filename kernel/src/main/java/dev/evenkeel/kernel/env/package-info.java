/**
 * The only door to time, chance and threads. Production runs on {@link
 * dev.evenkeel.kernel.env.RealEnv}; a simulation runs the same code on {@link
 * dev.evenkeel.kernel.env.SimulatedEnv}: one thread, virtual time, one seed. Nobody else asks the
 * system for the time, sleeps, draws a random number or starts a thread.
 */
@NullMarked
package dev.evenkeel.kernel.env;

import org.jspecify.annotations.NullMarked;

/**
 * The world that controllers are tested in: the real server, virtual time, and everything that goes
 * wrong; and what the runtime promises there whatever the controller.
 */
@NullMarked
package dev.evenkeel.decide.world;

import org.jspecify.annotations.NullMarked;

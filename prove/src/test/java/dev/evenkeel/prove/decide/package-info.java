/** Controllers against the real server, in virtual time and with everything that goes wrong. */
@NullMarked
package dev.evenkeel.prove.decide;

import org.jspecify.annotations.NullMarked;

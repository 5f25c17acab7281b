/** The scheduler on the real server, in virtual time. */
@NullMarked
package dev.evenkeel.prove.schedule;

import org.jspecify.annotations.NullMarked;

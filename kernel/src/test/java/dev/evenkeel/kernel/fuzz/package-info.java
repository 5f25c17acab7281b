/**
 * Bad input by the thousand, for everything in the kernel that reads what clients send: what must
 * hold for any bytes at all, seeds to start from, and what drives both.
 */
@NullMarked
package dev.evenkeel.kernel.fuzz;

import org.jspecify.annotations.NullMarked;

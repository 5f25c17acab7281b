/** Commands that show what a running server's controllers do, and why. */
@NullMarked
package dev.evenkeel.operate.look;

import org.jspecify.annotations.NullMarked;

/** The command that people start with, as they start it. */
@NullMarked
package dev.evenkeel.operate.up;

import org.jspecify.annotations.NullMarked;

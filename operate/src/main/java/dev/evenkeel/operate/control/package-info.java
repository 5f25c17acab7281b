/** Which controllers run in this process, and what they show of themselves. */
@NullMarked
package dev.evenkeel.operate.control;

import org.jspecify.annotations.NullMarked;

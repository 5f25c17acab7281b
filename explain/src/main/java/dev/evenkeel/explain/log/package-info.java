/** Keeps decision records: the newest ones, in memory, and no more than it is allowed to. */
@NullMarked
package dev.evenkeel.explain.log;

import org.jspecify.annotations.NullMarked;

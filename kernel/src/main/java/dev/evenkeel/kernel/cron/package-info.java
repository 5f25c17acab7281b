/** When cron jobs are due: their schedules, read and reckoned. */
@NullMarked
package dev.evenkeel.kernel.cron;

import org.jspecify.annotations.NullMarked;

/** What {@link dev.evenkeel.kernel.cron.CronSchedule} promises. */
@NullMarked
package dev.evenkeel.kernel.cron;

import org.jspecify.annotations.NullMarked;

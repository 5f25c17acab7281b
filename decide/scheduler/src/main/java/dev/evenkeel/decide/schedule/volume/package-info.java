/**
 * Claims on storage, the volumes they have or could have, and on which nodes those can be reached,
 * as far as the objects tell.
 */
@NullMarked
package dev.evenkeel.decide.schedule.volume;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.decide.queue;

import org.jspecify.annotations.NullMarked;

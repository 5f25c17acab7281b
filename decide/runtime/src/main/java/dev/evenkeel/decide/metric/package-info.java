/**
 * What controllers are measured by: how long keys wait, how long they are worked on, what comes of
 * it. Names are those of client-go's queues and of controller-runtime.
 */
@NullMarked
package dev.evenkeel.decide.metric;

import org.jspecify.annotations.NullMarked;

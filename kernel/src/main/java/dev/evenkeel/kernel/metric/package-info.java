/**
 * What a server measures of itself: one {@link dev.evenkeel.kernel.metric.Meters} a server, to
 * which its parts add what they know. Parts either hold a data point and count as they work, or are
 * asked at the moment somebody looks.
 */
@NullMarked
package dev.evenkeel.kernel.metric;

import org.jspecify.annotations.NullMarked;

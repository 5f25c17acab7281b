/** The scheduler's benchmarks: the placement function alone, without a server. */
@NullMarked
package dev.evenkeel.prove.bench.schedule;

import org.jspecify.annotations.NullMarked;

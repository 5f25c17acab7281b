@NullMarked
package dev.evenkeel.prove.bench.queue;

import org.jspecify.annotations.NullMarked;

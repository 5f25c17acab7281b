@NullMarked
package dev.evenkeel.prove.bench.schedule;

import org.jspecify.annotations.NullMarked;

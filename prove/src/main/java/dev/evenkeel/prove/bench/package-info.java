/** Benchmarks: {@code evenkeel bench …}, one command for each, its figures printed as a table. */
@NullMarked
package dev.evenkeel.prove.bench;

import org.jspecify.annotations.NullMarked;

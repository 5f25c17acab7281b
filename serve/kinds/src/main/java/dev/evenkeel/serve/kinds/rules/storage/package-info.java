/** Volumes, claims to them, their classes and the drivers behind them. */
@NullMarked
package dev.evenkeel.serve.kinds.rules.storage;

import org.jspecify.annotations.NullMarked;

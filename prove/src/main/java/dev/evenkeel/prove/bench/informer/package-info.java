/**
 * {@code evenkeel bench informer}: how long a cache of many pods takes to fill over HTTP, and what
 * it holds in memory.
 */
@NullMarked
package dev.evenkeel.prove.bench.informer;

import org.jspecify.annotations.NullMarked;

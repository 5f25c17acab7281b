/** The benchmark of the API server. */
@NullMarked
package dev.evenkeel.prove.bench.api;

import org.jspecify.annotations.NullMarked;

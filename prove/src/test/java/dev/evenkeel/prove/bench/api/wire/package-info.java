/** The connections of the load generator. */
@NullMarked
package dev.evenkeel.prove.bench.api.wire;

import org.jspecify.annotations.NullMarked;

/** The clients and watchers of the load generator. */
@NullMarked
package dev.evenkeel.prove.bench.api.load;

import org.jspecify.annotations.NullMarked;

/**
 * A server that knows config maps and little else, to try the load generator on; and it errs on
 * demand.
 */
@NullMarked
package dev.evenkeel.prove.bench.api.toy;

import org.jspecify.annotations.NullMarked;

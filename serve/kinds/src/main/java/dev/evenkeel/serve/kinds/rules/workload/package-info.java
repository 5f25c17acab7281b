/** The kinds that make pods, scale them and guard their number. */
@NullMarked
package dev.evenkeel.serve.kinds.rules.workload;

import org.jspecify.annotations.NullMarked;

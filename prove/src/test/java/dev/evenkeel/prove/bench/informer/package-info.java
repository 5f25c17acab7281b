/** Other people's informers, measured beside ours; run by hand. */
@NullMarked
package dev.evenkeel.prove.bench.informer;

import org.jspecify.annotations.NullMarked;

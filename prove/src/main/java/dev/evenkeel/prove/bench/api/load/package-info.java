/**
 * The load itself: clients that ask, wait and ask again, watchers that check what they are sent,
 * and how both are counted. Sits on {@code wire} and knows nothing of phases and tables.
 */
@NullMarked
package dev.evenkeel.prove.bench.api.load;

import org.jspecify.annotations.NullMarked;

/** The store in memory under test. */
@NullMarked
package dev.evenkeel.store.memory;

import org.jspecify.annotations.NullMarked;

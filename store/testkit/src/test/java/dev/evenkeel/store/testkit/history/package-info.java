/** The judge under judgement: hand-made histories, broken in every way there is. */
@NullMarked
package dev.evenkeel.store.testkit.history;

import org.jspecify.annotations.NullMarked;

/** Tests of the outside programs, with the real programs. */
@NullMarked
package dev.evenkeel.store.testkit.outside;

import org.jspecify.annotations.NullMarked;

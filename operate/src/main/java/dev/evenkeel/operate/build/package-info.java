/** What was built. */
@NullMarked
package dev.evenkeel.operate.build;

import org.jspecify.annotations.NullMarked;

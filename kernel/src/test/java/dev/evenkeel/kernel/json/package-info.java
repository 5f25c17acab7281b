/** What bodies decode to, what is refused, and that neither takes long. */
@NullMarked
package dev.evenkeel.kernel.json;

import org.jspecify.annotations.NullMarked;

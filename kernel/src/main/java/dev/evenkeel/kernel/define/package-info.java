/** Custom kinds from Java records: the record says all that its definition says. */
@NullMarked
package dev.evenkeel.kernel.define;

import org.jspecify.annotations.NullMarked;

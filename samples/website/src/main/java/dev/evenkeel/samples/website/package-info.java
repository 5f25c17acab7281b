/** A whole controller on one page. */
@NullMarked
package dev.evenkeel.samples.website;

import org.jspecify.annotations.NullMarked;

/** How figures are shown: what every benchmark prints its results with. */
@NullMarked
package dev.evenkeel.prove.report;

import org.jspecify.annotations.NullMarked;

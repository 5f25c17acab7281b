/** What benchmarks print, under test. */
@NullMarked
package dev.evenkeel.prove.report;

import org.jspecify.annotations.NullMarked;

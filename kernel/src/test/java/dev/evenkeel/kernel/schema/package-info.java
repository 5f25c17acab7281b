/** What is said of objects that break their schema. */
@NullMarked
package dev.evenkeel.kernel.schema;

import org.jspecify.annotations.NullMarked;

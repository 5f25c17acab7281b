/** The columns of the built-in kinds. */
@NullMarked
package dev.evenkeel.serve.kinds.tables;

import org.jspecify.annotations.NullMarked;

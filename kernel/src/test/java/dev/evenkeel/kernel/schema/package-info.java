@NullMarked
package dev.evenkeel.kernel.schema;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.observe.object;

import org.jspecify.annotations.NullMarked;

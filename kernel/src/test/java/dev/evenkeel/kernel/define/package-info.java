@NullMarked
package dev.evenkeel.kernel.define;

import org.jspecify.annotations.NullMarked;

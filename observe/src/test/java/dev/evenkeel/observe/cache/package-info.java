@NullMarked
package dev.evenkeel.observe.cache;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.observe.transport;

import org.jspecify.annotations.NullMarked;

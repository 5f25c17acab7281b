@NullMarked
package dev.evenkeel.observe.feed;

import org.jspecify.annotations.NullMarked;

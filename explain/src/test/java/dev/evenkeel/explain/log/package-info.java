@NullMarked
package dev.evenkeel.explain.log;

import org.jspecify.annotations.NullMarked;

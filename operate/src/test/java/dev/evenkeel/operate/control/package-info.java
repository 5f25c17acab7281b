@NullMarked
package dev.evenkeel.operate.control;

import org.jspecify.annotations.NullMarked;

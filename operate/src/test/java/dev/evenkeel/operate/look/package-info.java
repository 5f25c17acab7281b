@NullMarked
package dev.evenkeel.operate.look;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.serve;

import org.jspecify.annotations.NullMarked;

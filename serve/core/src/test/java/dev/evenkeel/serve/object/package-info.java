@NullMarked
package dev.evenkeel.serve.object;

import org.jspecify.annotations.NullMarked;

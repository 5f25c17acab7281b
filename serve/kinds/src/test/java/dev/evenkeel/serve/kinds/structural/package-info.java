@NullMarked
package dev.evenkeel.serve.kinds.structural;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.serve.cache;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.serve.quota;

import org.jspecify.annotations.NullMarked;

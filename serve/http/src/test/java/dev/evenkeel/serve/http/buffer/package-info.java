@NullMarked
package dev.evenkeel.serve.http.buffer;

import org.jspecify.annotations.NullMarked;

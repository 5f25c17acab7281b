@NullMarked
package dev.evenkeel.serve.http.lane;

import org.jspecify.annotations.NullMarked;

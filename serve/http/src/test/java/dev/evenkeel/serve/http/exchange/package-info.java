@NullMarked
package dev.evenkeel.serve.http.exchange;

import org.jspecify.annotations.NullMarked;

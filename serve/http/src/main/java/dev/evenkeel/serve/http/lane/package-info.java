/**
 * Whose turn it is on an event loop. Each loop has a lane, on which the exchanges of its
 * connections have their answers written, side by side and without holding each other up.
 */
@NullMarked
package dev.evenkeel.serve.http.lane;

import org.jspecify.annotations.NullMarked;

/**
 * Connections: whether one more is let in, who is at its other end, and how much of what is written
 * its socket has not yet taken. Below the exchanges that come over them.
 */
@NullMarked
package dev.evenkeel.serve.http.connection;

import org.jspecify.annotations.NullMarked;

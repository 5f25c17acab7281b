/**
 * What the shell allows its clients, and what it counts of them. Set and read by whoever listens,
 * and kept by the connections, the lanes and the exchanges.
 */
@NullMarked
package dev.evenkeel.serve.http.limit;

import org.jspecify.annotations.NullMarked;

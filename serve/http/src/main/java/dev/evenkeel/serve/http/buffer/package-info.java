/**
 * Bytes on their way out: the buffer that answers are pulled into, the pieces they are written in,
 * and the flushes that let several leave together. Filled by exchanges, emptied by the socket.
 */
@NullMarked
package dev.evenkeel.serve.http.buffer;

import org.jspecify.annotations.NullMarked;

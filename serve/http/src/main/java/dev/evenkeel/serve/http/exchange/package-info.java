/**
 * One request and its answer: headers and body are read within the limits, the core is asked, and
 * what it answers is written or pulled from its stream at the client's pace, as a body or over a
 * WebSocket.
 */
@NullMarked
package dev.evenkeel.serve.http.exchange;

import org.jspecify.annotations.NullMarked;

/**
 * The API server as a function: a request in, an answer or a stream out. No sockets: HTTP, the
 * in-process transport and the simulation are shells around it.
 */
@NullMarked
package dev.evenkeel.serve.api;

import org.jspecify.annotations.NullMarked;

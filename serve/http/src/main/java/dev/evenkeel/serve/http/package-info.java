/** The API server on a socket: HTTP/1.1, HTTP/2 and WebSocket over TLS, around the core. */
@NullMarked
package dev.evenkeel.serve.http;

import org.jspecify.annotations.NullMarked;

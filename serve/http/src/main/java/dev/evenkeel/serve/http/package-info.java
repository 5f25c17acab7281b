/**
 * The shell around the API server's core: HTTP/1.1, HTTP/2 and WebSocket over TLS. It turns bytes
 * into requests and answers into bytes, at the client's pace, and keeps what misbehaves out. What a
 * request means is the core's business.
 *
 * <pre>
 *   listener ──▶ connection ──▶ exchange ──▶ core
 *                    socket ◀── buffer ◀── lane ◀── answer, or a stream that is pulled
 * </pre>
 */
@NullMarked
package dev.evenkeel.serve.http;

import org.jspecify.annotations.NullMarked;

/**
 * HTTP/1.1 and HTTP/2 over TLS as a load generator needs them: it shares the machine with the
 * server that it measures, so a byte is looked at no more often than it must be. What arrives is
 * handed on as it comes, in one scratch array for each event loop.
 */
@NullMarked
package dev.evenkeel.prove.bench.api.wire;

import org.jspecify.annotations.NullMarked;

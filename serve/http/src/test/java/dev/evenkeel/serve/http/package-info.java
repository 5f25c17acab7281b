/** The listener as clients meet it: over real sockets. */
@NullMarked
package dev.evenkeel.serve.http;

import org.jspecify.annotations.NullMarked;

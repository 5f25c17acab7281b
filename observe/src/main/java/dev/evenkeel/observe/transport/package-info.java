/**
 * How a client reaches a server: a request goes out, an answer comes back whose body is pulled.
 * HTTP is one way, a call into the same process another; whatever is built above knows only this.
 * {@link dev.evenkeel.observe.transport.Client} is the small client for single objects.
 */
@NullMarked
package dev.evenkeel.observe.transport;

import org.jspecify.annotations.NullMarked;

/**
 * The API server: takes a request through authentication, flow control and the registry to the
 * watch cache and the store. {@link dev.evenkeel.serve.ApiServer} is the whole of it, without
 * sockets.
 */
@NullMarked
package dev.evenkeel.serve;

import org.jspecify.annotations.NullMarked;

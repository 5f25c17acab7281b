/**
 * What is served: each kind with everything that serves it, and the table that finds it by its
 * path. Filled by the server and by custom kinds, and looked at by every other room.
 */
@NullMarked
package dev.evenkeel.serve.resource;

import org.jspecify.annotations.NullMarked;

/**
 * {@code evenkeel up}: puts a store, the API server and the listener together, says where
 * everything is, and takes them apart in order when it is told to stop.
 */
@NullMarked
package dev.evenkeel.operate.up;

import org.jspecify.annotations.NullMarked;

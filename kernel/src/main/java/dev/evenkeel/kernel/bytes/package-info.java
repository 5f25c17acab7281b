/**
 * Immutable bytes. Keys, stored values and encoded objects are bytes all the way from the store to
 * the socket; this package is the one type they travel in.
 */
@NullMarked
package dev.evenkeel.kernel.bytes;

import org.jspecify.annotations.NullMarked;

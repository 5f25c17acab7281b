/**
 * Kinds as data: what the API server needs to know of a kind to serve it. Built-in kinds are read
 * from the catalog; custom kinds make the same definitions.
 */
@NullMarked
package dev.evenkeel.serve.kinds;

import org.jspecify.annotations.NullMarked;

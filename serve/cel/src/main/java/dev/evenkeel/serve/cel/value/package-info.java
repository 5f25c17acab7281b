/**
 * What expressions work on while they run: views of JSON trees, values made on the way, their
 * equality and order, and the meter that every step is charged to.
 */
@NullMarked
package dev.evenkeel.serve.cel.value;

import org.jspecify.annotations.NullMarked;

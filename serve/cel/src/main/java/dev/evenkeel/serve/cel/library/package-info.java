/**
 * The functions that expressions may call, by what they work on, and what calls cost by their
 * arguments. Expressions are checked against it, and plans look up in it what they call.
 */
@NullMarked
package dev.evenkeel.serve.cel.library;

import org.jspecify.annotations.NullMarked;

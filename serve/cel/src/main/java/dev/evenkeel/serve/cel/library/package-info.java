/** The functions that expressions may call: their signatures, what they do and what they cost. */
@NullMarked
package dev.evenkeel.serve.cel.library;

import org.jspecify.annotations.NullMarked;

/**
 * Texts that stand for something: addresses and their ranges, URLs, versions and patterns. Read
 * once by the functions of the library, and values of their own from then on.
 */
@NullMarked
package dev.evenkeel.serve.cel.notation;

import org.jspecify.annotations.NullMarked;

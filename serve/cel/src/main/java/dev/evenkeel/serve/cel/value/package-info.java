/**
 * What expressions work on while they run: values of the language, those made on the way, and the
 * authority that expressions may ask. How JSON becomes values is next door in {@code json}, and
 * which of them are equal in {@code comparison}.
 */
@NullMarked
package dev.evenkeel.serve.cel.value;

import org.jspecify.annotations.NullMarked;

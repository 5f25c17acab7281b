/**
 * Who owns which field of an object. A write passes here after it is known what is wanted and
 * before admission has its say: managers are kept in {@code managedFields}, and an apply is refused
 * what is somebody else's.
 */
@NullMarked
package dev.evenkeel.serve.ownership;

import org.jspecify.annotations.NullMarked;

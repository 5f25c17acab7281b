/**
 * What is observed: a kind as a client names it, and an object as it is held, which is its JSON
 * bytes and the few fields that everybody asks for. Bytes are read where they lie; a tree is built
 * only for who wants one.
 */
@NullMarked
package dev.evenkeel.observe.object;

import org.jspecify.annotations.NullMarked;

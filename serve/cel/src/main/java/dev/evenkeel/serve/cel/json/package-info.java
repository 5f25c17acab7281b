/**
 * JSON trees as expressions see them, and back: views that are made where they are looked at, what
 * a change to a value makes of its tree, and the tree of a value that an expression made.
 */
@NullMarked
package dev.evenkeel.serve.cel.json;

import org.jspecify.annotations.NullMarked;

/** Runs checked expressions: a tree of nodes that charge for each step. */
@NullMarked
package dev.evenkeel.serve.cel.plan;

import org.jspecify.annotations.NullMarked;

/**
 * What a function is to those who check, price and run it: its signature, what a call costs and
 * what it does. The library makes them, a plan calls them.
 */
@NullMarked
package dev.evenkeel.serve.cel.function;

import org.jspecify.annotations.NullMarked;

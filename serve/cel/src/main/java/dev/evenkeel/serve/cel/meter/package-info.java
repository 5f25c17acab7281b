/**
 * The meter that every step of an expression is charged to while it runs, and what happens when its
 * budget is used up. Below everything that costs.
 */
@NullMarked
package dev.evenkeel.serve.cel.meter;

import org.jspecify.annotations.NullMarked;

/**
 * The verbs of the API on objects of any kind. {@link dev.evenkeel.serve.registry.Registry} finds
 * out what a call asks for and has it done by the rooms behind it: read from the watch cache, or
 * written as a conditional transaction. What is answered here itself are kinds that are not stored,
 * and the view that all scales are. What differs between kinds is in their definitions.
 */
@NullMarked
package dev.evenkeel.serve.registry;

import org.jspecify.annotations.NullMarked;

/**
 * The verbs of the API on objects of any kind: reads from the watch cache, writes as conditional
 * transactions on the store. What differs between kinds is in their definitions.
 */
@NullMarked
package dev.evenkeel.serve.registry;

import org.jspecify.annotations.NullMarked;

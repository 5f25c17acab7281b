/**
 * What a scheduler sees of pods and nodes: read once from the objects, compiled, never changed.
 * Everything behind works on these and knows no JSON.
 */
@NullMarked
package dev.evenkeel.decide.schedule.model;

import org.jspecify.annotations.NullMarked;

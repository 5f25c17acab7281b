/**
 * Pods, and the specs of pods wherever they stand. {@link
 * dev.evenkeel.serve.kinds.rules.pod.PodTemplates} is what the kinds that make pods need of it.
 */
@NullMarked
package dev.evenkeel.serve.kinds.rules.pod;

import org.jspecify.annotations.NullMarked;

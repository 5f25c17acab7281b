/**
 * Which objects a request, a controller or a policy means: selectors over labels and over fields.
 * They are parsed once, at the boundary, and then matched against every object that passes by; the
 * canonical form lets equal selectors share one evaluation.
 */
@NullMarked
package dev.evenkeel.kernel.selector;

import org.jspecify.annotations.NullMarked;

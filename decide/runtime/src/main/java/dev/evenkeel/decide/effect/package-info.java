/**
 * Effects outside of the API: what acts on them for a controller, and the care with which the
 * runtime has it act. It looks first, names each intent by one id, and settles what it cannot know
 * by looking again.
 */
@NullMarked
package dev.evenkeel.decide.effect;

import org.jspecify.annotations.NullMarked;

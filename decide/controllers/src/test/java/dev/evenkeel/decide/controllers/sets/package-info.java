/** What is intricate in the controllers of sets, by itself. */
@NullMarked
package dev.evenkeel.decide.controllers.sets;

import org.jspecify.annotations.NullMarked;

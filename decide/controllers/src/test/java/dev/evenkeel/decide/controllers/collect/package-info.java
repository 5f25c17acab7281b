/** The controllers of the collectors, in a simulated world. */
@NullMarked
package dev.evenkeel.decide.controllers.collect;

import org.jspecify.annotations.NullMarked;

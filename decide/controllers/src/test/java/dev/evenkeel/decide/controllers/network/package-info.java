/** The controllers of endpoints and slices, in a simulated world. */
@NullMarked
package dev.evenkeel.decide.controllers.network;

import org.jspecify.annotations.NullMarked;

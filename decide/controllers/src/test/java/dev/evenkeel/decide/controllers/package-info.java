/** All base controllers at once, in a simulated world. */
@NullMarked
package dev.evenkeel.decide.controllers;

import org.jspecify.annotations.NullMarked;

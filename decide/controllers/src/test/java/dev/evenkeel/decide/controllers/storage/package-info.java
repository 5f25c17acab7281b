/** The controllers of volumes and claims, in a simulated world. */
@NullMarked
package dev.evenkeel.decide.controllers.storage;

import org.jspecify.annotations.NullMarked;

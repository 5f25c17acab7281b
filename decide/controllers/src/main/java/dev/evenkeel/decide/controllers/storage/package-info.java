/** Volumes, the claims on them and their classes: what is in use stays. */
@NullMarked
package dev.evenkeel.decide.controllers.storage;

import org.jspecify.annotations.NullMarked;

/** Persistent volumes and the claims on them: who gets which, and what becomes of both. */
@NullMarked
package dev.evenkeel.decide.controllers.storage;

import org.jspecify.annotations.NullMarked;

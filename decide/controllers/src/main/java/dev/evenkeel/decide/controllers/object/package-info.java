/**
 * The kinds that controllers speak of, and what they all ask of objects: owners, selectors,
 * readiness.
 */
@NullMarked
package dev.evenkeel.decide.controllers.object;

import org.jspecify.annotations.NullMarked;

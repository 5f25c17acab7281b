/**
 * Controllers of sets whose pods have a place of their own: an ordinal, or a node. Both keep the
 * history of their templates as revisions, to which users can go back.
 */
@NullMarked
package dev.evenkeel.decide.controllers.sets;

import org.jspecify.annotations.NullMarked;

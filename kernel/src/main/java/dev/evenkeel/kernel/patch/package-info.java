/**
 * The three ways to change an object by saying what is to be different: JSON patch, JSON merge
 * patch, strategic merge patch. Pure functions from a patch and an object to a new object, between
 * the decoded request and the validation of what comes out.
 *
 * <p>Nothing that goes in is changed, and nothing is copied that stays the same: the result shares
 * its unchanged parts with the object, and new parts with the patch. Whoever wants to change the
 * result in place makes a deep copy first.
 */
@NullMarked
package dev.evenkeel.kernel.patch;

import org.jspecify.annotations.NullMarked;

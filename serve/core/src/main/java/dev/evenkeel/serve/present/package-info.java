/**
 * How objects are shown: as they are, as rows of a table, as metadata only, in another version of
 * the API; one at a time, as lists, as watch events.
 */
@NullMarked
package dev.evenkeel.serve.present;

import org.jspecify.annotations.NullMarked;

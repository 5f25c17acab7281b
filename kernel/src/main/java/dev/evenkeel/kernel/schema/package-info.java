/**
 * What objects of a kind may look like: types of fields, how lists merge, what is filled in, what
 * is refused. One schema serves decoding, defaulting, validation, patches and the published
 * description.
 */
@NullMarked
package dev.evenkeel.kernel.schema;

import org.jspecify.annotations.NullMarked;

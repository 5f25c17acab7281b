/**
 * What expressions know of the data they look at: types made from structural schemas, with the
 * sizes that estimates are made from.
 */
@NullMarked
package dev.evenkeel.serve.cel.type;

import org.jspecify.annotations.NullMarked;

/**
 * The tokens of service accounts: the keys that sign them and those that verify them, what they
 * claim, and whether what they claim still holds. A request's token is read here on its way to
 * becoming a caller; tokens are asked for through {@code registry}.
 */
@NullMarked
package dev.evenkeel.serve.token;

import org.jspecify.annotations.NullMarked;

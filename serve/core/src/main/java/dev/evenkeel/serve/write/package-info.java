/**
 * Creates, updates, patches, applies and deletes. Each is decided on the cache's state, passes
 * admission, and is committed in one transaction with what it charges and claims, on the condition
 * that what it was decided on still holds; if not, it is decided again.
 */
@NullMarked
package dev.evenkeel.serve.write;

import org.jspecify.annotations.NullMarked;

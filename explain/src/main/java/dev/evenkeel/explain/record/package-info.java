/**
 * Decision records: what woke a controller, what it saw, what it concluded, what it did and what
 * came of it. Plain data, made by whoever decides and read by whoever explains.
 */
@NullMarked
package dev.evenkeel.explain.record;

import org.jspecify.annotations.NullMarked;

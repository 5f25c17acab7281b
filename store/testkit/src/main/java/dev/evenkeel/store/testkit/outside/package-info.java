/**
 * Programs outside the JVM, for tests that want the real thing: which program a test needs and what
 * happens where it is missing, and a real etcd, alone or as three members, that can be killed,
 * paused and started again. Engine and fault tests use it; nothing in the product does.
 */
@NullMarked
package dev.evenkeel.store.testkit.outside;

import org.jspecify.annotations.NullMarked;

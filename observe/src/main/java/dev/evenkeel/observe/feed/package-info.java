/**
 * List and watch of one kind and scope as a stream of states and changes that never ends by itself:
 * it resumes, lists again when it must, waits when the server is in trouble, and says at any time
 * how it is doing. Between the {@code transport} below and the {@code cache} above.
 */
@NullMarked
package dev.evenkeel.observe.feed;

import org.jspecify.annotations.NullMarked;

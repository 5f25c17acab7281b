/** What observes, against the server's own core in the same process. */
@NullMarked
package dev.evenkeel.prove.observe;

import org.jspecify.annotations.NullMarked;

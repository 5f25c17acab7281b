/**
 * The way to a server in the same process, in place of the network: the assembly hands it to what
 * observes, which cannot tell the difference.
 */
@NullMarked
package dev.evenkeel.operate.inprocess;

import org.jspecify.annotations.NullMarked;

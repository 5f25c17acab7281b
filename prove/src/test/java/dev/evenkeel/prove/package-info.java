/** Tests about the whole: the layers, and what the command finds on its class path. */
@NullMarked
package dev.evenkeel.prove;

import org.jspecify.annotations.NullMarked;

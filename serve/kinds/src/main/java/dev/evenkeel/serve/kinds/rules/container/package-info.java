/** The containers of a pod, and what they mount, ask for and are allowed. */
@NullMarked
package dev.evenkeel.serve.kinds.rules.container;

import org.jspecify.annotations.NullMarked;

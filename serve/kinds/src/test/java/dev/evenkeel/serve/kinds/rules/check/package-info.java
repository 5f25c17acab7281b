/** What the tools of the rules promise. */
@NullMarked
package dev.evenkeel.serve.kinds.rules.check;

import org.jspecify.annotations.NullMarked;

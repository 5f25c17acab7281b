/** What the rules say, case by case. */
@NullMarked
package dev.evenkeel.serve.kinds.rules;

import org.jspecify.annotations.NullMarked;

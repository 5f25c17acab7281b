/** What the schemas of the built-in kinds cannot say, kind by kind. */
@NullMarked
package dev.evenkeel.serve.kinds.rules;

import org.jspecify.annotations.NullMarked;

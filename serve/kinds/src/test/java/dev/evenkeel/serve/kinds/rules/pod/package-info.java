@NullMarked
package dev.evenkeel.serve.kinds.rules.pod;

import org.jspecify.annotations.NullMarked;

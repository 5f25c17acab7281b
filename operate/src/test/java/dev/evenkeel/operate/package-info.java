/** The command as its users meet it. */
@NullMarked
package dev.evenkeel.operate;

import org.jspecify.annotations.NullMarked;

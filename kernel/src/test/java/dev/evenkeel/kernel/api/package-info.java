/** The words of the API, as clients read them. */
@NullMarked
package dev.evenkeel.kernel.api;

import org.jspecify.annotations.NullMarked;

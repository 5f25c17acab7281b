@NullMarked
package dev.evenkeel.serve.rights;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.serve.ownership;

import org.jspecify.annotations.NullMarked;

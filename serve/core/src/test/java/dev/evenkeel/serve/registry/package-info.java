@NullMarked
package dev.evenkeel.serve.registry;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.serve.kinds.catalog;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.observe.http;

import org.jspecify.annotations.NullMarked;

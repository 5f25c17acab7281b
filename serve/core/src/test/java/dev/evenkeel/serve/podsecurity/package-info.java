@NullMarked
package dev.evenkeel.serve.podsecurity;

import org.jspecify.annotations.NullMarked;

/** Who may do what, and the certificates that say who somebody is. */
@NullMarked
package dev.evenkeel.serve.kinds.rules.access;

import org.jspecify.annotations.NullMarked;

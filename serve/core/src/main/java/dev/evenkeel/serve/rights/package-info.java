/**
 * Who may do what. Roles and their bindings are read from the watch caches and indexed by subject;
 * a request is checked here after it became a caller and before anything is looked at, and a write
 * of roles is checked once more, so that nobody grants what they do not hold.
 */
@NullMarked
package dev.evenkeel.serve.rights;

import org.jspecify.annotations.NullMarked;

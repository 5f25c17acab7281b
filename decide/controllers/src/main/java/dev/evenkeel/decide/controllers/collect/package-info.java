/** What goes when something else is gone: dependents of an owner, the contents of a namespace. */
@NullMarked
package dev.evenkeel.decide.controllers.collect;

import org.jspecify.annotations.NullMarked;

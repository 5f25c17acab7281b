/** What namespaces may have of zones, as far as a scheduler knows. */
@NullMarked
package dev.evenkeel.decide.schedule.tenant;

import org.jspecify.annotations.NullMarked;

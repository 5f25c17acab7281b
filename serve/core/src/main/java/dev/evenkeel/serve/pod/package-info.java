/**
 * The verbs that only pods have: they are bound to nodes, one by one or in groups, and evicted from
 * them within what their disruption budgets allow. Below the registry, and done by writes and
 * deletes.
 */
@NullMarked
package dev.evenkeel.serve.pod;

import org.jspecify.annotations.NullMarked;

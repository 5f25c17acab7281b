/** Where pods may run: selectors of nodes, affinity, spreading, taints and their tolerations. */
@NullMarked
package dev.evenkeel.serve.kinds.rules.placement;

import org.jspecify.annotations.NullMarked;

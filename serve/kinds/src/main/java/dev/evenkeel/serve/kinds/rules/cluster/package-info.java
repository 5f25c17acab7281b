/**
 * What orders a cluster: namespaces and nodes, settings and secrets, limits, leases, priorities.
 */
@NullMarked
package dev.evenkeel.serve.kinds.rules.cluster;

import org.jspecify.annotations.NullMarked;

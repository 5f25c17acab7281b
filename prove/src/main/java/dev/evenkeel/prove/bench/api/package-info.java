/**
 * The API server's benchmark: {@code evenkeel bench api}. It speaks nothing but the Kubernetes API
 * over TLS, so that any server can be its target, and runs in a process of its own. A phase is one
 * kind of load; each yields results, and a report shows them.
 */
@NullMarked
package dev.evenkeel.prove.bench.api;

import org.jspecify.annotations.NullMarked;

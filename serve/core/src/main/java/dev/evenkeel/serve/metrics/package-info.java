/**
 * What the server measures of itself while it works: requests, admission, the store. Names are
 * upstream's, so that dashboards and alerts for Kubernetes work; what parts know of themselves at
 * the moment of asking is not here but on the page itself.
 */
@NullMarked
package dev.evenkeel.serve.metrics;

import org.jspecify.annotations.NullMarked;

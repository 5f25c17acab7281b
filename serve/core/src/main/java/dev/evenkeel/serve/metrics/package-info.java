/**
 * What the server measures of itself: requests, admission, the store, the watch caches, the
 * process; and the page that shows it. Where Kubernetes has a name for something that name is used,
 * so that dashboards and alerts work.
 */
@NullMarked
package dev.evenkeel.serve.metrics;

import org.jspecify.annotations.NullMarked;

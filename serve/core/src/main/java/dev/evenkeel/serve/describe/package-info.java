/** What the server tells about itself: discovery, version, health, metrics. */
@NullMarked
package dev.evenkeel.serve.describe;

import org.jspecify.annotations.NullMarked;

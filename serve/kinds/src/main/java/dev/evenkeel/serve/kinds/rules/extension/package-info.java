/** What extends the server itself: webhooks, custom kinds, and how requests are queued. */
@NullMarked
package dev.evenkeel.serve.kinds.rules.extension;

import org.jspecify.annotations.NullMarked;

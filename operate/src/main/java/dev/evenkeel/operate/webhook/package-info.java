/** The door through which the server calls webhooks: HTTPS, on the JDK's client. */
@NullMarked
package dev.evenkeel.operate.webhook;

import org.jspecify.annotations.NullMarked;

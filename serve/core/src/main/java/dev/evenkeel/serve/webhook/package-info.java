/**
 * Webhooks: programs of users' own that are asked about writes, over HTTPS. Which of them a write
 * is about is found as it is for policies; what they say is kept for as long as the write is
 * decided, so that each is asked once about what it saw ({@code docs/designs/030-webhooks.md}).
 *
 * <p>Nothing here opens a socket: {@link dev.evenkeel.serve.webhook.Outside} is the only door.
 */
@NullMarked
package dev.evenkeel.serve.webhook;

import org.jspecify.annotations.NullMarked;

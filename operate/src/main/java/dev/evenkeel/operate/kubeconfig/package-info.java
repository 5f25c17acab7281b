/**
 * The file that tells a client where the server is and who the client is, as kubectl knows it:
 * {@code up} writes it, every other command that talks to a server reads it.
 */
@NullMarked
package dev.evenkeel.operate.kubeconfig;

import org.jspecify.annotations.NullMarked;

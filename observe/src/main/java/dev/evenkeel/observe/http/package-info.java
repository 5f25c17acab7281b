/**
 * The way over the network: TLS and HTTP/2 on the JDK's own client, and where to find the server
 * and who to be there: a kubeconfig file, or what a cluster gives its pods.
 */
@NullMarked
package dev.evenkeel.observe.http;

import org.jspecify.annotations.NullMarked;

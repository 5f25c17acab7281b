/**
 * Who the server is and whom it trusts: a certificate authority of its own making, the server's
 * certificate, and the first user's credentials, as files in a folder.
 */
@NullMarked
package dev.evenkeel.serve.http.tls;

import org.jspecify.annotations.NullMarked;

/** The clients that people have, against a real server over TLS. */
@NullMarked
package dev.evenkeel.prove.clients;

import org.jspecify.annotations.NullMarked;

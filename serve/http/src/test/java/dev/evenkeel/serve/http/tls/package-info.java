/** What the folder makes, keeps and renews. */
@NullMarked
package dev.evenkeel.serve.http.tls;

import org.jspecify.annotations.NullMarked;

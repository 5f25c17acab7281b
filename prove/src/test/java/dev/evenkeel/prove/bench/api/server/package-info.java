/** What a server costs. */
@NullMarked
package dev.evenkeel.prove.bench.api.server;

import org.jspecify.annotations.NullMarked;

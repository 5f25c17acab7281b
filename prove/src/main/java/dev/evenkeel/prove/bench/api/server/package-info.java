/**
 * The server as a process of the operating system: starting one of our own, and what any costs in
 * time and memory.
 */
@NullMarked
package dev.evenkeel.prove.bench.api.server;

import org.jspecify.annotations.NullMarked;

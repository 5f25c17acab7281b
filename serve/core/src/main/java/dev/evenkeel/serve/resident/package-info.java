/**
 * What lives inside the server and works without being asked: makes the objects that every cluster
 * has, serves the kinds that users define, keeps the statuses that are the server's to keep, ends
 * requests that hang and forgets old history. Most of it speaks to the server as clients do.
 */
@NullMarked
package dev.evenkeel.serve.resident;

import org.jspecify.annotations.NullMarked;

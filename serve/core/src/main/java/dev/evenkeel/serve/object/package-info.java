/**
 * What the server asks of objects of every kind before they are stored, and what it sets in them
 * itself: metadata, names, uids, generations, and the notes on pods. It sees one object and the one
 * before it, never the state of others.
 */
@NullMarked
package dev.evenkeel.serve.object;

import org.jspecify.annotations.NullMarked;

/**
 * What the local engines are made of: an index of the newest versions in memory, a journal of all
 * versions that the engine provides, one sequencer through which every change goes, and the hub
 * that routes changes to watches.
 *
 * <pre>
 *   commit ──▶ Sequencer ──▶ Journal (durable) ──▶ index + revision ──▶ WatchHub ──▶ answer
 *   get, range ──▶ index ──▶ value: cached, or from the Journal
 * </pre>
 */
@NullMarked
package dev.evenkeel.store.engine.mvcc;

import org.jspecify.annotations.NullMarked;

package dev.evenkeel.observe.cache;

import dev.evenkeel.observe.feed.FeedFigures;

/**
 * How an informer is doing, at one moment.
 *
 * @param bytesHeld by the objects, about
 * @param listenerFailures how often a listener threw; it is told of later changes all the same
 */
public record InformerFigures(
    String kind,
    String scope,
    int objects,
    long bytesHeld,
    long version,
    boolean synced,
    long listenerFailures,
    FeedFigures feed) {}

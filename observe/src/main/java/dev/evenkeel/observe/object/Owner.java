package dev.evenkeel.observe.object;

/** One of the objects that an object belongs to. */
public record Owner(
    String apiVersion,
    String kind,
    String name,
    String uid,
    boolean controller,
    boolean blocksDeletion) {}

package dev.evenkeel.decide.plan;

import dev.evenkeel.observe.object.Kind;

/**
 * An action that was refused when the object was last looked at.
 *
 * @param verb {@code create}, for example
 * @param kind of what it was about
 * @param name of what it was about; empty if the server was to make one
 * @param reason in one word, as the server gave it, for example {@code Forbidden}; may be empty
 * @param message for people
 */
public record Refusal(String verb, Kind<?> kind, String name, String reason, String message) {}

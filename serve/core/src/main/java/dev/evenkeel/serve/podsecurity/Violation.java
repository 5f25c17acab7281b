package dev.evenkeel.serve.podsecurity;

/**
 * What a check found wrong, in upstream's words.
 *
 * @param reason a few words, the same for all pods
 * @param detail where in this pod
 */
public record Violation(String reason, String detail) {}

package dev.evenkeel.observe.transport;

/** One header, of a request or of an answer. Names are compared without regard to case. */
public record Header(String name, String value) {}

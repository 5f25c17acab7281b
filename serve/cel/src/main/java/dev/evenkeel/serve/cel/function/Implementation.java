package dev.evenkeel.serve.cel.function;

import dev.evenkeel.serve.cel.meter.Meter;

/** What a function does. The target of {@code x.f(y)} is the first argument. */
@FunctionalInterface
public interface Implementation {

  Object call(Object[] arguments, Meter meter);
}

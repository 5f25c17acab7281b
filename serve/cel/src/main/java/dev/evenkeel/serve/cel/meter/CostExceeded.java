package dev.evenkeel.serve.cel.meter;

/** Ends an evaluation that has cost all it may. */
public final class CostExceeded extends RuntimeException {

  public CostExceeded() {
    super("operation cancelled: actual cost limit exceeded", null, false, false);
  }
}

package dev.evenkeel.kernel.fit;

/** Why a node is not enough. */
public sealed interface Shortage {

  /** A word for the sort, for programs. */
  String reason();

  /** For people, the same for all nodes that lack the same. */
  String message();

  /**
   * There is not enough left of a resource.
   *
   * @param wanted in the resource's units, like the others
   */
  record Insufficient(String resource, long wanted, long used, long capacity) implements Shortage {

    @Override
    public String reason() {
      return resource.equals(Demand.PODS) ? "TooManyPods" : "InsufficientResource";
    }

    @Override
    public String message() {
      return resource.equals(Demand.PODS) ? "Too many pods" : "Insufficient " + resource;
    }

    /** {@code requested 1, used 8 of 8}. */
    public String amounts() {
      String unit = resource.equals(Demand.CPU) ? "m" : "";
      return "requested %d%s, used %d%s of %d%s"
          .formatted(wanted, unit, used, unit, capacity, unit);
    }
  }

  /** Another pod has the port. */
  record PortTaken(HostPort port) implements Shortage {

    @Override
    public String reason() {
      return "HostPortTaken";
    }

    @Override
    public String message() {
      return "node(s) didn't have free ports for the requested pod ports";
    }
  }
}

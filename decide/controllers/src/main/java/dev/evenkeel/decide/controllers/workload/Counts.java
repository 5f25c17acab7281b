package dev.evenkeel.decide.controllers.workload;

import tools.jackson.databind.node.ObjectNode;

/** Numbers of pods, as statuses have them. */
final class Counts {

  private Counts() {}

  /** A count of zero is not written, and takes away one that was. */
  static void putUnlessZero(ObjectNode status, String field, long count) {
    if (count == 0) {
      status.putNull(field);
    } else {
      status.put(field, count);
    }
  }
}

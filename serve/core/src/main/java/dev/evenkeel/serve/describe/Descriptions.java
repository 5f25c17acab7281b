package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Gvk;

/** What little is said in words: about kinds, and about the fields that all of them have. */
final class Descriptions {

  private Descriptions() {}

  static String ofKind(Gvk gvk) {
    return gvk.kind() + " of " + gvk.apiVersion() + ".";
  }

  /** Empty if there is nothing to say. */
  static String ofField(String name) {
    return switch (name) {
      case "apiVersion" -> "Group and version of the object's kind.";
      case "kind" -> "The object's kind.";
      case "metadata" -> "What every object has: name, namespace, labels, versions, owners.";
      case "spec" -> "What is wanted.";
      case "status" -> "What was last observed. Written by the system, not by users.";
      default -> "";
    };
  }
}

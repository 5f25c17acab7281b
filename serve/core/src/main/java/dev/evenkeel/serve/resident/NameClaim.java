package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names that a definition wants, one by one: each that is free is its own, whatever becomes of
 * the others. Of several conflicts the last is told. Owned by one look at one definition.
 */
final class NameClaim {

  private final JsonNode wanted;
  private final ObjectNode accepted;
  private String reason = "";
  private String conflict = "";

  /**
   * @param accepted what it has got already; names that it gets are added
   */
  NameClaim(JsonNode wanted, ObjectNode accepted) {
    this.wanted = wanted;
    this.accepted = accepted;
  }

  void one(String field, String reasonOfConflict, Set<String> taken) {
    String name = Meta.text(wanted.path(field));
    if (taken.contains(name) && !name.equals(Meta.text(accepted.path(field)))) {
      refuse(reasonOfConflict, inUse(name));
    } else {
      take(field);
    }
  }

  void several(String field, String reasonOfConflict, Set<String> taken) {
    Set<String> own = new HashSet<>();
    accepted.path(field).forEach(name -> own.add(Meta.text(name)));
    List<String> conflicts = new ArrayList<>(0);
    for (JsonNode name : wanted.path(field)) {
      if (taken.contains(Meta.text(name)) && !own.contains(Meta.text(name))) {
        conflicts.add(inUse(Meta.text(name)));
      }
    }
    if (conflicts.isEmpty()) {
      take(field);
    } else {
      refuse(
          reasonOfConflict,
          conflicts.size() == 1 ? conflicts.getFirst() : "[" + String.join(", ", conflicts) + "]");
    }
  }

  /** Whatever others have. */
  void take(String field) {
    if (wanted.path(field).isMissingNode()) {
      accepted.remove(field);
    } else {
      accepted.set(field, wanted.path(field));
    }
  }

  private void refuse(String reasonOfConflict, String message) {
    reason = reasonOfConflict;
    conflict = message;
  }

  private static String inUse(String name) {
    return "\"" + name + "\" is already in use";
  }

  /** Of the conflict; empty if there is none. */
  String reason() {
    return reason;
  }

  String conflict() {
    return conflict;
  }
}

package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.NONE;
import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.age;
import static dev.evenkeel.serve.kinds.tables.TableColumn.computed;
import static dev.evenkeel.serve.kinds.tables.TableColumn.count;
import static dev.evenkeel.serve.kinds.tables.TableColumn.name;
import static dev.evenkeel.serve.kinds.tables.TableColumn.text;

import dev.evenkeel.serve.kinds.TablePrinter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Who may do what, and with which credentials. */
final class AccessTables {

  private AccessTables() {}

  static TablePrinter serviceAccounts() {
    return ColumnsPrinter.of(
        name(), count("Secrets", "secrets", "Secrets it may use").withType("string"), age());
  }

  static TablePrinter secrets() {
    return ColumnsPrinter.of(
        name(),
        text("Type", "type", "What it is for"),
        count("Data", "data", "Number of entries").withType("string"),
        age());
  }

  static TablePrinter bindings() {
    return ColumnsPrinter.of(
        name(),
        computed(
            "Role",
            "The role that is given",
            o -> text(o, "roleRef.kind") + "/" + text(o, "roleRef.name")),
        age(),
        computed("Users", "Users who have it", o -> subjects(o, "User")).wide(),
        computed("Groups", "Groups that have it", o -> subjects(o, "Group")).wide(),
        computed(
                "ServiceAccounts",
                "Service accounts that have it",
                o -> subjects(o, "ServiceAccount"))
            .wide());
  }

  static TablePrinter certificateSigningRequests() {
    return ColumnsPrinter.of(
        name(),
        age(),
        text("SignerName", "spec.signerName", NONE, "Who is asked to sign"),
        text("Requestor", "spec.username", "Who asks"),
        computed("RequestedDuration", "How long it should be valid", AccessTables::validity),
        computed("Condition", "How far the request is", AccessTables::progress));
  }

  private static String subjects(ObjectNode binding, String kind) {
    List<String> subjects = new ArrayList<>();
    for (JsonNode subject : binding.path("subjects")) {
      if (text(subject, "kind").equals(kind)) {
        String name = text(subject, "name");
        subjects.add(
            kind.equals("ServiceAccount") ? text(subject, "namespace") + "/" + name : name);
      }
    }
    return String.join(", ", subjects);
  }

  private static String validity(ObjectNode request) {
    JsonNode seconds = at(request, "spec.expirationSeconds");
    return seconds.isNumber() ? HumanDuration.of(Duration.ofSeconds(seconds.asLong(0))) : NONE;
  }

  private static String progress(ObjectNode request) {
    List<String> words = new ArrayList<>();
    if (Cells.condition(request, "Denied").isObject()) {
      words.add("Denied");
    } else if (Cells.condition(request, "Approved").isObject()) {
      words.add("Approved");
    } else {
      words.add("Pending");
    }
    if (Cells.condition(request, "Failed").isObject()) {
      words.add("Failed");
    }
    if (!text(request, "status.certificate").isEmpty()) {
      words.add("Issued");
    }
    return String.join(",", words);
  }
}

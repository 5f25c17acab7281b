package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.fit.LedgerReport;
import dev.evenkeel.kernel.fit.Shortage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a client is told whose pod a node has too little for. */
public final class NodeRefusal {

  private NodeRefusal() {}

  /**
   * A node that has too little.
   *
   * @param pod the first that does not fit
   * @param shortages of what, for all that were to go there
   * @param version of the ledger that it was judged by
   */
  record OfNode(NodeCharge charge, PodChange pod, List<Shortage> shortages, long version) {

    private String message() {
      int pods = charge.changes().size();
      return "node \"%s\" has not enough left%s: %s"
          .formatted(
              charge.ledger(),
              pods == 1 ? "" : " for " + pods + " pods",
              shortages.stream().map(NodeRefusal::text).collect(Collectors.joining(", ")));
    }

    private void addCauses(List<Status.Cause> causes) {
      String node = charge.ledger();
      for (Shortage shortage : shortages) {
        causes.add(
            switch (shortage) {
              case Shortage.Insufficient lack ->
                  new Status.Cause(lack.reason(), node + ": " + lack.amounts(), lack.resource());
              case Shortage.PortTaken taken ->
                  new Status.Cause(
                      taken.reason(), node + ": another pod has it", taken.port().toString());
            });
      }
      Map<String, Long> used = new HashMap<>();
      for (Shortage shortage : shortages) {
        if (shortage instanceof Shortage.Insufficient lack) {
          used.put(lack.resource(), lack.used());
        }
      }
      causes.addAll(new LedgerReport(LedgerReport.Sort.NODE, node, version, used).causes());
    }
  }

  /** A conflict of the first pod, with the causes of all nodes. */
  static Status status(List<OfNode> nodes) {
    List<Status.Cause> causes = new ArrayList<>();
    nodes.forEach(node -> node.addCauses(causes));
    String pod = nodes.getFirst().pod().pod();
    return new Status(
        409,
        "Conflict",
        "Operation cannot be fulfilled on pods \"%s\": %s"
            .formatted(pod, nodes.stream().map(OfNode::message).collect(Collectors.joining("; "))),
        new Status.Details(pod, "", "pods", "", causes, 0),
        null);
  }

  private static String text(Shortage shortage) {
    return switch (shortage) {
      case Shortage.Insufficient lack -> lack.message() + " (" + lack.amounts() + ")";
      case Shortage.PortTaken taken -> "port " + taken.port() + " is taken";
    };
  }

  /** Whether that is what a status says: another node may do. */
  public static boolean isOne(Status status) {
    return status.code() == 409 && !LedgerReport.in(status).isEmpty();
  }
}

package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.fit.Shortage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a client is told whose pod a node has too little for. */
public final class Refusal {

  /** The cause that names the version of the ledger that was judged by. */
  public static final String LEDGER_VERSION = "LedgerVersion";

  private Refusal() {}

  static Status status(PodChange change, List<Shortage> shortages, long version) {
    List<Status.Cause> causes = new ArrayList<>();
    for (Shortage shortage : shortages) {
      causes.add(
          switch (shortage) {
            case Shortage.Insufficient lack ->
                new Status.Cause(
                    lack.reason(), change.node() + ": " + lack.amounts(), lack.resource());
            case Shortage.PortTaken taken ->
                new Status.Cause(
                    taken.reason(),
                    change.node() + ": another pod has it",
                    taken.port().toString());
          });
    }
    causes.add(new Status.Cause(LEDGER_VERSION, Long.toString(version), change.node()));
    String lacks =
        shortages.stream()
            .map(
                shortage ->
                    shortage instanceof Shortage.Insufficient lack
                        ? lack.message() + " (" + lack.amounts() + ")"
                        : shortage instanceof Shortage.PortTaken taken
                            ? "port " + taken.port() + " is taken"
                            : shortage.message())
            .collect(Collectors.joining(", "));
    return new Status(
        409,
        "Conflict",
        "Operation cannot be fulfilled on pods \"%s\": node \"%s\" has not enough left: %s"
            .formatted(change.pod(), change.node(), lacks),
        new Status.Details(change.pod(), "", "pods", "", causes, 0),
        null);
  }

  /** Whether that is what a status says: another node may do. */
  public static boolean isOne(Status status) {
    Status.Details details = status.details();
    return status.code() == 409
        && details != null
        && details.causes().stream().anyMatch(cause -> cause.reason().equals(LEDGER_VERSION));
  }
}

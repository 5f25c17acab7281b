package dev.evenkeel.kernel.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.fit.LedgerReport.Sort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LedgerReportTest {

  private static Status refusal(List<Status.Cause> causes) {
    return new Status(
        409, "Conflict", "too little", new Status.Details("", "", "", "", causes, 0), null);
  }

  @Test
  void reports_areReadAsTheyWereWritten_besideCausesForPeople() {
    var node = new LedgerReport(Sort.NODE, "a", 7, Map.of("cpu", 8000L, "pods", 3L));
    var other = new LedgerReport(Sort.NODE, "b", 9, Map.of());
    var share = new LedgerReport(Sort.TENANT, "a", 5, Map.of("cpu", 1L));
    List<Status.Cause> causes = new ArrayList<>();
    causes.add(new Status.Cause("InsufficientResource", "a: requested 1m", "cpu"));
    List.of(node, other, share).forEach(report -> causes.addAll(report.causes()));
    assertThat(LedgerReport.in(refusal(causes))).containsExactly(node, other, share);
  }

  @Test
  void whatIsNoReport_isNone_andWhatCannotBeReadCorrectsNothing() {
    assertThat(LedgerReport.in(Status.badRequest("no"))).isEmpty();
    assertThat(LedgerReport.in(refusal(List.of()))).isEmpty();
    assertThat(
            LedgerReport.in(
                refusal(
                    List.of(
                        new Status.Cause("LedgerUsed", "{", "a"),
                        new Status.Cause("LedgerVersion", "x", "a"),
                        new Status.Cause("TenantLedgerVersion", "1", "a")))))
        .containsExactly(new LedgerReport(Sort.NODE, "a", 0, Map.of()));
  }
}

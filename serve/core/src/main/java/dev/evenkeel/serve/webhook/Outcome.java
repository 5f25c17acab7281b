package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.api.Status;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What came of asking a webhook. */
sealed interface Outcome {

  /**
   * It may pass.
   *
   * @param patch what is to be changed; null if nothing is
   */
  record Allowed(@Nullable JsonNode patch, Remarks remarks) implements Outcome {}

  /** It may not. */
  record Denied(Status status, Remarks remarks) implements Outcome {}

  /**
   * It could not be asked, or gave no answer that says anything: the webhook's failure policy
   * decides.
   *
   * @param code upstream's, for its metrics
   */
  record Failed(String why, int code) implements Outcome {}

  /** What it has to say beside. Both are bounded by whom they are told. */
  record Remarks(List<String> warnings, Map<String, String> annotations) {
    static final Remarks NONE = new Remarks(List.of(), Map.of());

    public Remarks {
      warnings = List.copyOf(warnings);
      annotations = Map.copyOf(annotations);
    }
  }
}

package dev.evenkeel.kernel.json;

import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ScannerException;

/** What is wrong with YAML, in the words of the parser that Kubernetes' own server uses. */
final class YamlErrors {

  /** By the beginning of what our parser says. */
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("expected the node content", "did not find expected node content"),
          Map.entry("expected ',' or '}'", "did not find expected ',' or '}'"),
          Map.entry("expected ',' or ']'", "did not find expected ',' or ']'"),
          Map.entry("expected '<document start>'", "did not find expected <document start>"),
          Map.entry("mapping values are not allowed", "mapping values are not allowed in this context"),
          Map.entry("mapping keys are not allowed", "mapping keys are not allowed in this context"),
          Map.entry(
              "sequence entries are not allowed",
              "block sequence entries are not allowed in this context"),
          Map.entry("found character", "found character that cannot start any token"),
          Map.entry("found duplicate anchor", "found duplicate anchor"),
          Map.entry("special characters are not allowed", "control characters are not allowed"));

  private YamlErrors() {}

  static String told(MarkedYamlEngineException e) {
    // As upstream counts: scanners know the line, parsers are one short of it.
    int more = e instanceof ScannerException ? 1 : 0;
    int context = e.getContextMark().map(Mark::getLine).orElse(0);
    int line = context != 0 ? context : e.getProblemMark().map(Mark::getLine).orElse(0);
    String place = line == 0 ? "" : "line " + (line + more) + ": ";
    return "yaml: " + place + words(e);
  }

  private static String words(MarkedYamlEngineException e) {
    String problem = Json.firstLine(e.getProblem(), e);
    if (problem.startsWith("expected <block end>")) {
      String context = String.valueOf(e.getContext());
      return context.contains("block mapping")
          ? "did not find expected key"
          : "did not find expected '-' indicator";
    }
    for (Map.Entry<String, String> words : WORDS.entrySet()) {
      if (problem.startsWith(words.getKey())) {
        return words.getValue();
      }
    }
    return problem;
  }
}

package dev.evenkeel.serve.token;

import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.caller.TokenDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of tokens that never change, as upstream has it: a line each of token, user, uid and, if
 * there are any, groups in quotes with commas between them.
 *
 * <pre>
 *   31ada4fd-adec-460c-809a-9e56ceb75269,jane,uid-1,"dev,ops"
 * </pre>
 */
public final class TokenFile {

  private static final int COLUMNS_MIN = 3;

  private final String text;
  private int at;
  private int line = 1;

  private TokenFile(String text) {
    this.text = text;
  }

  /**
   * Who comes with which token.
   *
   * @throws TokenException whose message names the line, and nothing that is in it
   */
  public static Map<TokenDigest, Caller> parse(String text) throws TokenException {
    return new TokenFile(text.replace("\r\n", "\n")).callers();
  }

  private Map<TokenDigest, Caller> callers() throws TokenException {
    Map<TokenDigest, Caller> callers = new HashMap<>();
    while (at < text.length()) {
      if (text.charAt(at) == '\n') {
        at++;
        line++;
        continue;
      }
      int began = line;
      List<String> columns = columns();
      if (columns.size() < COLUMNS_MIN) {
        throw new TokenException(
            "line " + began + " has fewer than three columns: token, user name, user uid");
      }
      List<String> groups =
          columns.size() > COLUMNS_MIN && !columns.get(COLUMNS_MIN).isEmpty()
              ? List.of(columns.get(COLUMNS_MIN).split(",", -1))
              : List.of();
      if (!columns.getFirst().isEmpty()) {
        callers.put(
            TokenDigest.of(columns.getFirst()),
            new Caller(columns.get(1), groups, columns.get(2), Map.of()));
      }
    }
    return callers;
  }

  /** Reads a line, and its end. */
  private List<String> columns() throws TokenException {
    List<String> columns = new ArrayList<>();
    while (true) {
      boolean quoted = at < text.length() && text.charAt(at) == '"';
      columns.add(quoted ? quoted() : plain());
      if (at == text.length()) {
        return columns;
      }
      char end = text.charAt(at++);
      if (end == '\n') {
        line++;
        return columns;
      }
      if (end != ',') {
        throw new TokenException("line " + line + " goes on after a closing quote");
      }
    }
  }

  private String plain() throws TokenException {
    int from = at;
    while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != '\n') {
      if (text.charAt(at) == '"') {
        throw new TokenException("line " + line + " has a quote within a column");
      }
      at++;
    }
    return text.substring(from, at);
  }

  /** Two quotes are one. */
  private String quoted() throws TokenException {
    var column = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        if (at + 1 == text.length() || text.charAt(at + 1) != '"') {
          at++;
          return column.toString();
        }
        at++;
      } else if (c == '\n') {
        line++;
      }
      column.append(c);
    }
    throw new TokenException("line " + line + " has a quote that is not closed");
  }
}

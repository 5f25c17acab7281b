package dev.evenkeel.serve.cel.notation;

import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.Opaque;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A URL with a scheme, or a path from the root, read as Go reads it.
 *
 * @param host with its port
 * @param path as it is written
 */
public record Url(String text, String scheme, String host, String path, String query)
    implements Opaque {

  /**
   * @throws EvaluationError if it is none
   */
  public static Url of(String text) {
    if (text.isEmpty()) {
      throw failed(text, "empty url");
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) == 0x7f) {
        throw failed(text, "net/url: invalid control character in URL");
      }
    }
    int fragment = text.indexOf('#');
    String rest = fragment < 0 ? text : text.substring(0, fragment);
    String scheme = scheme(rest);
    rest = scheme.isEmpty() ? rest : rest.substring(scheme.length() + 1);
    int question = rest.indexOf('?');
    String query = question < 0 ? "" : rest.substring(question + 1);
    rest = question < 0 ? rest : rest.substring(0, question);
    if (!rest.startsWith("/")) {
      if (scheme.isEmpty()) {
        throw failed(text, "invalid URI for request");
      }
      return new Url(text, scheme, "", "", query);
    }
    String host = "";
    if (!scheme.isEmpty() && rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      host = host(text, rest.substring(2, slash < 0 ? rest.length() : slash));
      rest = slash < 0 ? "" : rest.substring(slash);
    }
    checkEscapes(text, rest);
    return new Url(text, scheme, host, escaped(rest), query);
  }

  private static EvaluationError failed(String text, String why) {
    return new EvaluationError("parse \"" + text + "\": " + why);
  }

  private static String scheme(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (c == ':') {
        if (i == 0) {
          throw failed(text, "missing protocol scheme");
        }
        return text.substring(0, i).toLowerCase(java.util.Locale.ROOT);
      }
      if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
        return "";
      }
    }
    return "";
  }

  private static String host(String text, String authority) {
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    String port;
    if (host.startsWith("[")) {
      int close = host.lastIndexOf(']');
      if (close < 0) {
        throw failed(text, "missing ']' in host");
      }
      port = host.substring(close + 1);
    } else {
      int colon = host.lastIndexOf(':');
      port = colon < 0 ? "" : host.substring(colon);
    }
    boolean digits = port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
    if (!port.isEmpty() && (port.charAt(0) != ':' || !digits)) {
      throw failed(text, "invalid port \"" + port + "\" after host");
    }
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c < 0x80 && " \"<>\\^`{|}".indexOf(c) >= 0) {
        throw failed(text, "invalid character \"" + c + "\" in host name");
      }
    }
    checkEscapes(text, host);
    return decoded(host);
  }

  private static void checkEscapes(String text, String part) {
    for (int i = part.indexOf('%'); i >= 0; i = part.indexOf('%', i + 1)) {
      String escape = part.substring(i, Math.min(part.length(), i + 3));
      if (!isEscape(escape)) {
        throw failed(text, "invalid URL escape \"" + escape + "\"");
      }
    }
  }

  private static boolean isEscape(String escape) {
    return escape.length() == 3
        && Character.digit(escape.charAt(1), 16) >= 0
        && Character.digit(escape.charAt(2), 16) >= 0;
  }

  /** With an escape for each byte that may not stand in a path as it is. */
  private static String escaped(String path) {
    var result = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-_.~$&+,/:;=@%!'()*[]".indexOf(c) >= 0;
      if (plain) {
        result.append(c);
      } else {
        result.append(String.format(java.util.Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return result.toString();
  }

  private static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] result = new byte[bytes.length];
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%') {
        int high = Character.digit(bytes[i + 1], 16);
        result[length++] = (byte) (high * 16 + Character.digit(bytes[i + 2], 16));
        i += 2;
      } else {
        result[length++] = bytes[i];
      }
    }
    return new String(result, 0, length, StandardCharsets.UTF_8);
  }

  public String hostname() {
    if (host.startsWith("[")) {
      return host.substring(1, Math.max(1, host.indexOf(']')));
    }
    int colon = host.lastIndexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }

  public String port() {
    int colon = host.lastIndexOf(':');
    return colon < 0 || host.indexOf(']') > colon ? "" : host.substring(colon + 1);
  }

  /** Pairs that cannot be read are left out, as Go does. */
  public Map<String, List<String>> queryValues() {
    var values = new LinkedHashMap<String, List<String>>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      if (!pair.isEmpty() && pair.indexOf(';') < 0 && isReadable(key) && isReadable(value)) {
        values
            .computeIfAbsent(decoded(key.replace('+', ' ')), name -> new ArrayList<>())
            .add(decoded(value.replace('+', ' ')));
      }
    }
    return values;
  }

  private static boolean isReadable(String text) {
    for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
      if (!isEscape(text.substring(i, Math.min(text.length(), i + 3)))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String typeName() {
    return "kubernetes.URL";
  }

  @Override
  public String toString() {
    return text;
  }
}

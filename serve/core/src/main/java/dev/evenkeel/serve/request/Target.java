package dev.evenkeel.serve.request;

import dev.evenkeel.kernel.api.Status;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a path leads to. */
public sealed interface Target {

  /**
   * Objects of a kind.
   *
   * @param group empty for core
   * @param namespace empty if the path names none
   * @param name empty for the whole collection
   * @param subresource empty for the object itself
   * @param watch whether the path is of the old form {@code /api/v1/watch/…}
   */
  record Resource(
      String group,
      String version,
      String plural,
      String namespace,
      String name,
      String subresource,
      boolean watch)
      implements Target {}

  /**
   * Anything else.
   *
   * @param segments of the path, decoded
   */
  record Other(List<String> segments) implements Target {
    public Other {
      segments = List.copyOf(segments);
    }
  }

  /**
   * Takes a path apart. A segment may be empty, as upstream: {@code //api} is another path than
   * {@code /api}, and {@code namespaces//pods} names no namespace.
   */
  static Target parse(String path) {
    List<String> segments = new ArrayList<>(8);
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    int from = 1;
    while (from < end) {
      int to = path.indexOf('/', from);
      if (to < 0 || to > end) {
        to = end;
      }
      segments.add(decode(path.substring(from, to)));
      from = to + 1;
    }
    int head = 0;
    String group = "";
    if (!segments.isEmpty() && segments.get(0).equals("api")) {
      head = 2;
    } else if (segments.size() > 1 && segments.get(0).equals("apis")) {
      group = segments.get(1);
      head = group.isEmpty() ? 0 : 3;
    }
    if (head == 0 || segments.size() <= head) {
      return new Other(segments);
    }
    String version = segments.get(head - 1);
    List<String> rest = segments.subList(head, segments.size());
    boolean watch = rest.get(0).equals("watch") && rest.size() > 1;
    if (watch) {
      rest = rest.subList(1, rest.size());
    }
    String namespace = "";
    if (rest.get(0).equals("namespaces") && rest.size() > 2 && !isNamespaceSubresource(rest)) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    if (rest.size() > 3 || (rest.size() > 1 && rest.get(1).isEmpty())) {
      // proxy paths and the like go deeper; none of them is an object, nor is what has no name
      return new Other(segments);
    }
    return new Resource(
        group,
        version,
        rest.get(0),
        namespace,
        rest.size() > 1 ? rest.get(1) : "",
        rest.size() > 2 ? rest.get(2) : "",
        watch);
  }

  private static boolean isNamespaceSubresource(List<String> rest) {
    return rest.size() == 3 && (rest.get(2).equals("status") || rest.get(2).equals("finalize"));
  }

  private static String decode(String segment) {
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    try {
      // A plus is a plus in a path.
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Status.badRequest("invalid URL escape in the path").asException();
    }
  }
}

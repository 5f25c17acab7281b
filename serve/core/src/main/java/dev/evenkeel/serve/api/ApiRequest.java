package dev.evenkeel.serve.api;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as the core sees it.
 *
 * @param method in upper case
 * @param path still encoded, without the query, for example {@code /api/v1/pods}
 * @param query still encoded, without the question mark; empty if there is none
 * @param headers the first value of each, names in lower case; of those that begin with {@code
 *     impersonate-} all values, a line each
 * @param peer who the transport says is there, null if it cannot tell
 * @param body empty if there is none
 * @param address of whoever sent it; empty if it comes from within the process
 */
public record ApiRequest(
    String method,
    String path,
    String query,
    Map<String, String> headers,
    @Nullable Peer peer,
    Body body,
    String address) {

  /** One that comes from within the process. */
  public ApiRequest(
      String method,
      String path,
      String query,
      Map<String, String> headers,
      @Nullable Peer peer,
      Body body) {
    this(method, path, query, headers, peer, body, "");
  }

  /**
   * Who proved an identity to the transport, by a client certificate that our CA signed.
   *
   * @param name the certificate's common name
   * @param groups its organizations
   */
  public record Peer(String name, List<String> groups) {
    public Peer {
      groups = List.copyOf(groups);
    }
  }

  /** The body's bytes, not to be changed by anybody. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Body(byte[] bytes) {
    public static final Body NONE = new Body(new byte[0]);

    public boolean isEmpty() {
      return bytes.length == 0;
    }
  }

  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }
}

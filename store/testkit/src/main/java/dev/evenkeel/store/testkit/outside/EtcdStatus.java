package dev.evenkeel.store.testkit.outside;

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What one etcd member says of itself, without asking the others.
 *
 * @param memberId who it is
 * @param leaderId whom it takes for the leader; 0 if it knows none
 * @param revision the newest revision it has applied
 */
public record EtcdStatus(String memberId, String leaderId, long revision) {

  private static final String NOBODY = "0";
  private static final int TIMEOUT_MILLIS = 2_000;

  public boolean knowsLeader() {
    return !leaderId.equals(NOBODY);
  }

  public boolean isLeader() {
    return knowsLeader() && leaderId.equals(memberId);
  }

  /**
   * Asks the member's HTTP gateway; empty if it does not answer. The status, not {@code /health}: a
   * member whose space is used up is up and running, but not healthy.
   */
  static Optional<EtcdStatus> ask(String endpoint) {
    try {
      var connection =
          (HttpURLConnection)
              URI.create(endpoint + "/v3/maintenance/status")
                  .toURL()
                  .openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      connection.setRequestMethod("POST");
      connection.setDoOutput(true);
      try (OutputStream body = connection.getOutputStream()) {
        body.write("{}".getBytes(StandardCharsets.UTF_8));
      }
      try (var answer = connection.getInputStream()) {
        return Optional.of(parse(new String(answer.readAllBytes(), StandardCharsets.UTF_8)));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The gateway leaves out what is zero. */
  static EtcdStatus parse(String json) {
    return new EtcdStatus(
        number(json, "member_id"),
        number(json, "leader"),
        Long.parseLong(number(json, "revision")));
  }

  private static String number(String json, String name) {
    var matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*\"(\\d+)\"").matcher(json);
    return matcher.find() ? matcher.group(1) : NOBODY;
  }
}

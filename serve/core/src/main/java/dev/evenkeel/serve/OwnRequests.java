package dev.evenkeel.serve;

import dev.evenkeel.serve.api.ApiRequest;
import java.util.List;
import java.util.Map;

/** What the server asks of itself, in the same way as everybody else. */
final class OwnRequests {

  private OwnRequests() {}

  static ApiRequest of(String method, String path, byte[] body) {
    return new ApiRequest(
        method,
        path,
        "",
        Map.of("content-type", "application/json", "user-agent", "kube-apiserver"),
        new ApiRequest.Peer("system:apiserver", List.of("system:masters")),
        new ApiRequest.Body(body));
  }
}

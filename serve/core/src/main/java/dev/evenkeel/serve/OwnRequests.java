package dev.evenkeel.serve;

import dev.evenkeel.serve.api.ApiRequest;
import java.util.List;
import java.util.Map;

/** What the server asks of itself, in the same way as everybody else. */
final class OwnRequests {

  private OwnRequests() {}

  /** Applies fields of an object's status, whoever else has them. */
  static ApiRequest applyStatus(String path, String manager, byte[] body) {
    return new ApiRequest(
        "PATCH",
        path + "/status",
        "fieldManager=" + manager + "&force=true",
        Map.of("content-type", "application/apply-patch+yaml", "user-agent", "kube-apiserver"),
        new ApiRequest.Peer("system:apiserver", List.of("system:masters")),
        new ApiRequest.Body(body));
  }

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

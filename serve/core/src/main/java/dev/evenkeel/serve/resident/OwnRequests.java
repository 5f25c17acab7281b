package dev.evenkeel.serve.resident;

import dev.evenkeel.serve.api.ApiRequest;
import java.util.List;
import java.util.Map;

/** What the server asks of itself, in the same way as everybody else. */
final class OwnRequests {

  private OwnRequests() {}

  /** Applies a configuration as a manager of that name, whoever else owns what it says. */
  static ApiRequest apply(String path, String manager, byte[] body) {
    return new ApiRequest(
        "PATCH",
        path,
        "fieldManager=" + manager + "&force=true",
        Map.of("content-type", "application/apply-patch+yaml", "user-agent", "kube-apiserver"),
        new ApiRequest.Peer("system:apiserver", List.of("system:masters")),
        new ApiRequest.Body(body));
  }

  static ApiRequest of(String method, String path, byte[] body) {
    return of(method, path, "", body);
  }

  /** Creates an object as a manager of that name. */
  static ApiRequest create(String path, String manager, byte[] body) {
    return of("POST", path, "fieldManager=" + manager, body);
  }

  /** Replaces an object as a manager of that name. */
  static ApiRequest update(String path, String manager, byte[] body) {
    return of("PUT", path, "fieldManager=" + manager, body);
  }

  private static ApiRequest of(String method, String path, String query, byte[] body) {
    return new ApiRequest(
        method,
        path,
        query,
        Map.of("content-type", "application/json", "user-agent", "kube-apiserver"),
        new ApiRequest.Peer("system:apiserver", List.of("system:masters")),
        new ApiRequest.Body(body));
  }
}

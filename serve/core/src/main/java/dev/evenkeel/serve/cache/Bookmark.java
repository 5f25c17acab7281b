package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.api.Gvk;
import java.nio.charset.StandardCharsets;

/**
 * What a bookmark says.
 *
 * @param gvk the kind that is watched
 * @param revision everything up to it was sent
 * @param endsInitialEvents whether it closes the initial state
 */
public record Bookmark(Gvk gvk, long revision, boolean endsInitialEvents) {

  /** As an object of the kind. */
  public byte[] json() {
    return ("{\"kind\":\""
            + gvk.kind()
            + "\",\"apiVersion\":\""
            + gvk.apiVersion()
            + "\",\"metadata\":"
            + metadata()
            + "}")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The metadata of the bookmark's object, as JSON. */
  public String metadata() {
    String annotation =
        endsInitialEvents ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "";
    return "{\"resourceVersion\":\""
        + revision
        + "\",\"creationTimestamp\":null"
        + annotation
        + "}";
  }
}

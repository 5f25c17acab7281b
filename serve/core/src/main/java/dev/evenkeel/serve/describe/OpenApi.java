package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.PlainAnswer;
import dev.evenkeel.serve.request.Query;
import dev.evenkeel.serve.resource.ResourceTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers requests for the descriptions of all kinds, in OpenAPI 2 and 3. Threading: any. */
public final class OpenApi {

  private static final String JSON = "application/json";
  private static final String PROTOBUF =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  /** How clients before 1.27 write it. */
  private static final String PROTOBUF_OLD =
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

  /** What an address with a hash leads to never changes, so clients may keep it for a year. */
  private static final String FOREVER = "public, max-age=31536000, immutable";

  private final Map<Form, CachedDocument<OpenApiV2>> second = new EnumMap<>(Form.class);
  private final CachedDocument<OpenApiV3> third;

  public OpenApi(Env env, ResourceTable resources, String serverVersion) {
    for (Form form : Form.values()) {
      second.put(
          form,
          new CachedDocument<>(
              env,
              resources,
              (table, before) -> OpenApiV2.make(form, table, before, serverVersion)));
    }
    this.third =
        new CachedDocument<>(
            env, resources, (table, before) -> OpenApiV3.make(table, before, serverVersion));
  }

  /**
   * Answers a request.
   *
   * @param path what follows {@code /openapi}
   */
  public CompletableFuture<ApiResponse> answer(ApiRequest request, List<String> path, Query query) {
    String version = path.isEmpty() ? "" : path.getFirst();
    if (version.equals("v2") && path.size() == 1) {
      String type = chosen(request.header("accept"), List.of(JSON, PROTOBUF, PROTOBUF_OLD));
      Form form = type.equals(JSON) ? Form.JSON : Form.PROTOBUF;
      return Objects.requireNonNull(second.get(form))
          .current()
          .thenApply(
              made ->
                  respond(request, made.document(), form == Form.JSON ? JSON : PROTOBUF, false));
    }
    if (version.equals("v3")) {
      String type = chosen(request.header("accept"), List.of(JSON));
      String document = String.join("/", path.subList(1, path.size()));
      return third
          .current()
          .thenApply(made -> answer(request, made, document, type, query.text("hash")));
    }
    throw PlainAnswer.noSuchPage();
  }

  private static ApiResponse answer(
      ApiRequest request, OpenApiV3 made, String path, String type, String hash) {
    if (path.isEmpty()) {
      return respond(request, made.index(), type, false);
    }
    Document document = made.document(path);
    if (document == null) {
      throw PlainAnswer.noSuchPage();
    }
    if (!hash.isEmpty() && !hash.equals(document.hash())) {
      return new ApiResponse(
          301,
          List.of(
              new ApiResponse.Header(
                  "Location", "/openapi/v3/" + path + "?hash=" + document.hash())),
          new ApiResponse.Whole(new byte[0]));
    }
    return respond(request, document, type, !hash.isEmpty());
  }

  /** The first of the header's entries that is offered. */
  private static String chosen(@Nullable String accept, List<String> offered) {
    if (accept == null || accept.isEmpty()) {
      return offered.getFirst();
    }
    for (String entry : accept.split(",", -1)) {
      int end = entry.indexOf(';');
      String type = (end < 0 ? entry : entry.substring(0, end)).strip();
      if (type.equals("*/*") || type.equals("application/*")) {
        return offered.getFirst();
      }
      if (offered.contains(type)) {
        return type;
      }
    }
    throw Status.notAcceptable(offered).asException();
  }

  /**
   * A document as the client takes it, or that it is still the one that the client has.
   *
   * @param forever whether it never changes at this address
   */
  static ApiResponse respond(ApiRequest request, Document document, String type, boolean forever) {
    String tag = "\"" + document.hash() + "\"";
    List<ApiResponse.Header> headers = new ArrayList<>();
    headers.add(new ApiResponse.Header("Etag", tag));
    headers.add(new ApiResponse.Header("Vary", "Accept, Accept-Encoding"));
    if (forever) {
      headers.add(new ApiResponse.Header("Cache-Control", FOREVER));
    }
    String known = request.header("if-none-match");
    if (known != null && (known.contains(tag) || known.equals("*"))) {
      return new ApiResponse(304, headers, new ApiResponse.Whole(new byte[0]));
    }
    headers.add(new ApiResponse.Header("Content-Type", type));
    if (!takesGzip(request.header("accept-encoding"))) {
      return new ApiResponse(200, headers, new ApiResponse.Whole(document.bytes()));
    }
    headers.add(new ApiResponse.Header("Content-Encoding", "gzip"));
    return new ApiResponse(200, headers, new ApiResponse.Whole(document.compressed()));
  }

  private static boolean takesGzip(@Nullable String acceptEncoding) {
    if (acceptEncoding == null) {
      return false;
    }
    for (String entry : acceptEncoding.split(",", -1)) {
      String word = entry.replace(" ", "");
      if (word.equals("gzip") || (word.startsWith("gzip;") && !word.startsWith("gzip;q=0"))) {
        return true;
      }
    }
    return false;
  }
}

package dev.evenkeel.serve.describe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.registry.ResourceTable;
import dev.evenkeel.serve.registry.Served;
import dev.evenkeel.serve.request.Query;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the descriptions of all kinds.
 *
 * <p>Invariants: what is answered was made from the table as it was when the request came, or
 * later; one thread at most makes documents. Threading: any.
 */
/*
 * Most servers are never asked, so documents are made on the first request, by a thread that ends
 * with them; they may be forgotten when memory is short. A change of the table makes anew only the
 * documents whose kinds changed.
 */
public final class OpenApi {

  private static final List<String> JSON = List.of("application/json");

  /** Addresses with a hash never change their content, so clients may keep it for a year. */
  private static final String FOREVER = "public, max-age=31536000, immutable";

  private final Env env;
  private final ResourceTable resources;
  private final String serverVersion;

  @GuardedBy("this")
  private SoftReference<@Nullable OpenApiDocuments> made = new SoftReference<>(null);

  @GuardedBy("this")
  private @Nullable Making making;

  /** Documents that are being made. */
  private static final class Making {

    private final List<Served> table;
    private final CompletableFuture<OpenApiDocuments> documents = new CompletableFuture<>();

    Making(List<Served> table) {
      this.table = table;
    }
  }

  public OpenApi(Env env, ResourceTable resources, String serverVersion) {
    this.env = env;
    this.resources = resources;
    this.serverVersion = serverVersion;
  }

  /**
   * Answers a request.
   *
   * @param path what follows {@code /openapi}
   */
  public CompletableFuture<ApiResponse> answer(ApiRequest request, List<String> path, Query query) {
    if (path.isEmpty() || !path.getFirst().equals("v3")) {
      throw Status.noSuchPath().asException();
    }
    String document = String.join("/", path.subList(1, path.size()));
    return documents().thenApply(all -> third(request, all, document, query.text("hash")));
  }

  private static ApiResponse third(
      ApiRequest request, OpenApiDocuments all, String path, String hash) {
    checkAcceptable(request.header("accept"));
    if (path.isEmpty()) {
      return respond(request, all.index(), "application/json", false);
    }
    OpenApiDocuments.Part part = all.byPath().get(path);
    if (part == null) {
      throw Status.noSuchPath().asException();
    }
    String current = part.document().hash();
    if (!hash.isEmpty() && !hash.equals(current)) {
      return new ApiResponse(
          301,
          List.of(new ApiResponse.Header("Location", "/openapi/v3/" + path + "?hash=" + current)),
          new ApiResponse.Whole(new byte[0]));
    }
    return respond(request, part.document(), "application/json", !hash.isEmpty());
  }

  private static void checkAcceptable(@Nullable String accept) {
    if (accept == null || accept.isEmpty()) {
      return;
    }
    for (String entry : accept.split(",", -1)) {
      int end = entry.indexOf(';');
      switch ((end < 0 ? entry : entry.substring(0, end)).strip()) {
        case "application/json", "application/*", "*/*" -> {
          return;
        }
        default -> {}
      }
    }
    throw Status.notAcceptable(JSON).asException();
  }

  private static ApiResponse respond(
      ApiRequest request, Document document, String type, boolean forever) {
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

  private synchronized CompletableFuture<OpenApiDocuments> documents() {
    List<Served> table = resources.all();
    OpenApiDocuments known = made.get();
    if (known != null && known.table().equals(table)) {
      return CompletableFuture.completedFuture(known);
    }
    if (making != null && making.table.equals(table)) {
      return making.documents;
    }
    var started = new Making(table);
    making = started;
    Loop loop = env.loop("openapi");
    loop.execute(
        () -> {
          make(started, known == null ? Map.of() : known.byPath());
          loop.close();
        });
    return started.documents;
  }

  private void make(Making started, Map<String, OpenApiDocuments.Part> before) {
    try {
      OpenApiDocuments documents = OpenApiDocuments.make(started.table, before, serverVersion);
      finished(started, documents);
      started.documents.complete(documents);
    } catch (RuntimeException | Error e) {
      finished(started, null);
      started.documents.completeExceptionally(e);
    }
  }

  private synchronized void finished(Making ended, @Nullable OpenApiDocuments documents) {
    if (making == ended) {
      making = null;
      made = new SoftReference<>(documents);
    }
  }
}

package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Defaults;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.object.Uids;
import dev.evenkeel.serve.request.Accept;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.token.TokenClaims;
import dev.evenkeel.serve.token.TokenIssuer;
import dev.evenkeel.serve.token.TokenSettings;
import dev.evenkeel.serve.write.Gatekeeper;
import dev.evenkeel.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Issues tokens of service accounts. They are signed and forgotten: what ends them is their time,
 * and the end of the account or of what they are bound to.
 */
final class TokenRequests {

  static final Gvk TOKEN_REQUEST = Gvk.of("authentication.k8s.io/v1", "TokenRequest");

  private static final long SECONDS_MIN = 600;
  private static final long SECONDS_MAX = 1L << 32;

  /** What pods' own volumes ask for, as upstream's. */
  private static final long VOLUME_SECONDS = 3607;

  /** Such a token goes on for a year, for clients that read it once; its pod's end ends it. */
  private static final long VOLUME_EXTENDED_SECONDS = 365L * 24 * 60 * 60;

  private final TokenSettings settings;
  private final ResourceTable resources;
  private final Store store;
  private final Gatekeeper gatekeeper;
  private final Uids uids;
  private final Clock clock;

  TokenRequests(
      TokenSettings settings,
      ResourceTable resources,
      Store store,
      Gatekeeper gatekeeper,
      Uids uids,
      Clock clock) {
    this.settings = settings;
    this.resources = resources;
    this.store = store;
    this.gatekeeper = gatekeeper;
    this.uids = uids;
    this.clock = clock;
  }

  CompletableFuture<ApiResponse> create(Call call, Served accounts) {
    Schema.Struct type = Objects.requireNonNull(Catalog.type(TOKEN_REQUEST));
    ObjectNode request = Decoding.object(call, TOKEN_REQUEST, type);
    Defaults.apply(request, type);
    checkPlace(call, request);
    return newest("serviceaccounts")
        .thenCompose(
            _ -> {
              ObjectNode account = found(accounts, namespace(call), call.target().name());
              complete(request, account);
              validate(request);
              return gatekeeper.withJudged(
                  call, accounts, request, () -> issued(call, request, account));
            });
  }

  private static String namespace(Call call) {
    return call.target().namespace();
  }

  /** Answered when all is known that was written before. */
  private CompletableFuture<?> newest(String... plurals) {
    List<KindCache> caches =
        List.of(plurals).stream().map(plural -> resources.at("", "v1", plural).cache()).toList();
    return CompletableFuture.allOf(
            caches.stream().map(KindCache::ready).toArray(CompletableFuture<?>[]::new))
        .thenCompose(_ -> store.currentRevision())
        .thenCompose(
            revision ->
                CompletableFuture.allOf(
                    caches.stream()
                        .map(cache -> cache.atLeast(revision))
                        .toArray(CompletableFuture<?>[]::new)));
  }

  private static ObjectNode found(Served served, String namespace, String name) {
    CachedObject object = served.cache().newest().tree().get(served.key(namespace, name));
    if (object == null) {
      throw served.notFound(name).asException();
    }
    return Json.parseObject(object.json());
  }

  private static void checkPlace(Call call, ObjectNode request) {
    var problems = new Problems();
    String name = Meta.name(request);
    String namespace = Meta.namespace(request);
    if (!name.isEmpty() && !name.equals(call.target().name())) {
      problems.invalid("metadata.name", name, "must match the service account name if specified");
    } else if (!namespace.isEmpty() && !namespace.equals(namespace(call))) {
      problems.invalid(
          "metadata.namespace", namespace, "must match the service account namespace if specified");
    }
    refuse(problems, call.target().name());
  }

  private static void refuse(Problems problems, String name) {
    if (!problems.isEmpty()) {
      throw Status.invalid(TOKEN_REQUEST.group(), TOKEN_REQUEST.kind(), name, problems.errors())
          .asException();
    }
  }

  /** What the request leaves out is the account's, and the server's. */
  private void complete(ObjectNode request, ObjectNode account) {
    ObjectNode metadata = Meta.of(request);
    String uid = Meta.uid(request);
    if (!uid.isEmpty() && !uid.equals(Meta.uid(account))) {
      throw Status.conflict(
              TOKEN_REQUEST.group(),
              TOKEN_REQUEST.kind(),
              Meta.name(account),
              "the UID in the token request (%s) does not match the UID of the service account (%s)"
                  .formatted(uid, Meta.uid(account)))
          .asException();
    }
    metadata
        .put("name", Meta.name(account))
        .put("namespace", Meta.namespace(account))
        .put("uid", Meta.uid(account))
        .put("creationTimestamp", WireTime.seconds(clock.now()));
    ObjectNode spec = (ObjectNode) request.path("spec");
    if (spec.path("audiences").isEmpty()) {
      ArrayNode audiences = spec.putArray("audiences");
      settings.audiences().forEach(audiences::add);
    }
    request.remove("status");
  }

  private static void validate(ObjectNode request) {
    var problems = new Problems();
    JsonNode seconds = request.path("spec").path("expirationSeconds");
    if (seconds.longValue() < SECONDS_MIN) {
      problems.invalid(
          "spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
    }
    if (seconds.longValue() > SECONDS_MAX) {
      problems.invalid(
          "spec.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds");
    }
    refuse(problems, "");
  }

  /**
   * What a token is bound to.
   *
   * @param node of a pod, where it runs
   */
  private record Binding(
      TokenClaims.@Nullable Bound pod,
      TokenClaims.@Nullable Bound secret,
      TokenClaims.@Nullable Bound node) {
    static final Binding NONE = new Binding(null, null, null);
  }

  private CompletableFuture<ApiResponse> issued(Call call, ObjectNode request, ObjectNode account) {
    JsonNode reference = request.path("spec").path("boundObjectRef");
    return reference instanceof ObjectNode given
        ? newest("pods", "secrets", "nodes")
            .thenApply(_ -> answer(call, request, account, binding(call, given)))
        : CompletableFuture.completedFuture(answer(call, request, account, Binding.NONE));
  }

  private Binding binding(Call call, ObjectNode reference) {
    Gvk kind = Gvk.of(Meta.text(reference.path("apiVersion")), Meta.text(reference.path("kind")));
    String plural =
        switch (kind.group().isEmpty() ? kind.kind() : "") {
          case "Pod" -> "pods";
          case "Secret" -> "secrets";
          case "Node" -> "nodes";
          default ->
              throw Status.badRequest(
                      "cannot bind token to object of type %s, Kind=%s"
                          .formatted(kind.group() + "/" + kind.version(), kind.kind()))
                  .asException();
        };
    String name = Meta.text(reference.path("name"));
    ObjectNode object = found(resources.at("", "v1", plural), namespace(call), name);
    if (plural.equals("pods")
        && !Meta.text(object.path("spec").path("serviceAccountName"))
            .equals(call.target().name())) {
      throw Status.badRequest(
              "cannot bind token for serviceaccount \"%s\" to pod running with different"
                      .formatted(call.target().name())
                  + " serviceaccount name.")
          .asException();
    }
    String wanted = Meta.text(reference.path("uid"));
    if (!wanted.isEmpty() && !wanted.equals(Meta.uid(object))) {
      throw Status.conflict(
              "",
              kind.kind(),
              name,
              "the UID in the bound object reference (%s) does not match the UID in record. The"
                      .formatted(wanted)
                  + " object might have been deleted and then recreated")
          .asException();
    }
    var bound = new TokenClaims.Bound(name, Meta.uid(object));
    return switch (plural) {
      case "pods" -> new Binding(bound, null, nodeOf(object));
      case "secrets" -> new Binding(null, bound, null);
      default -> new Binding(null, null, bound);
    };
  }

  private TokenClaims.@Nullable Bound nodeOf(ObjectNode pod) {
    String name = Meta.text(pod.path("spec").path("nodeName"));
    if (name.isEmpty()) {
      return null;
    }
    CachedObject node = resources.at("", "v1", "nodes").cache().newest().tree().get(name);
    return new TokenClaims.Bound(name, node == null ? "" : Meta.uid(Json.parseObject(node.json())));
  }

  private ApiResponse answer(Call call, ObjectNode request, ObjectNode account, Binding binding) {
    JsonNode spec = request.path("spec");
    List<String> audiences = ObjectRules.texts(spec.path("audiences"));
    long seconds = spec.path("expirationSeconds").longValue();
    boolean extended =
        binding.pod() != null
            && seconds == VOLUME_SECONDS
            && settings.audiences().containsAll(audiences);
    Instant now = clock.now();
    long second = now.getEpochSecond();
    var claims =
        new TokenClaims(
            settings.issuers().getFirst(),
            audiences,
            uids.uid(),
            second,
            second,
            second + (extended ? VOLUME_EXTENDED_SECONDS : seconds),
            Meta.namespace(account),
            new TokenClaims.Bound(Meta.name(account), Meta.uid(account)),
            binding.pod(),
            binding.secret(),
            binding.node(),
            extended ? second + seconds : 0);
    call.annotate("authentication.kubernetes.io/issued-credential-id", "JTI=" + claims.id());
    request
        .putObject("status")
        .put("expirationTimestamp", WireTime.seconds(now.plusSeconds(seconds)))
        .put("token", TokenIssuer.issue(settings, claims));
    return created(call, request);
  }

  private static ApiResponse created(Call call, ObjectNode object) {
    Accept.Wire wire = call.accept().wire();
    return wire == Accept.Wire.FIRST || wire == Accept.Wire.ONLY
        ? new ApiResponse(
            201,
            call.headers(new ApiResponse.Header("Content-Type", WireCodec.MEDIA_TYPE)),
            new ApiResponse.Whole(WireCodec.encode(object)))
        : call.answer(201, Json.encode(object));
  }
}

package dev.evenkeel.serve.read;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.cache.Snapshot;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.present.ListStream;
import dev.evenkeel.serve.present.Presentation;
import dev.evenkeel.serve.request.Accept;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Gets and lists. How fresh an answer must be is the request's to say; all but reads of versions
 * that left the window are answered from the cache.
 */
public final class Reads {

  /** Pages read from the store for a state that is not in the window. */
  private static final int STORE_PAGE_ITEMS = 1_000;

  private final Store store;

  public Reads(Store store) {
    this.store = store;
  }

  /** The newest state: no older than anything that was answered before this was asked. */
  public CompletableFuture<Snapshot> newest(Served served) {
    CompletableFuture<Long> revision = store.currentRevision();
    if (revision.isDone() && !revision.isCompletedExceptionally()) {
      return served.cache().atLeast(revision.join());
    }
    return revision.thenCompose(served.cache()::atLeast);
  }

  /** A version that a client names; empty means none. */
  static long version(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    try {
      long version = Long.parseLong(text);
      if (version >= 0) {
        return version;
      }
    } catch (NumberFormatException e) {
      // falls through to the one error for both
    }
    throw Status.badRequest("resourceVersion: Invalid value: \"" + text + "\": must be a number")
        .asException();
  }

  public CompletableFuture<ApiResponse> get(Call call, Served served, String key, String name) {
    String version = call.query().text("resourceVersion");
    CompletableFuture<Snapshot> state;
    if (version.isEmpty()) {
      state = newest(served);
    } else {
      state = served.cache().atLeast(version(version));
    }
    return state.thenApply(snapshot -> found(call, served, snapshot, key, name));
  }

  private static ApiResponse found(
      Call call, Served served, Snapshot snapshot, String key, String name) {
    CachedObject object = snapshot.tree().get(key);
    if (object == null) {
      throw served.notFound(name).asException();
    }
    return answer(call, served, 200, object);
  }

  /** The object as it was asked for. */
  public static ApiResponse answer(Call call, Served served, int status, CachedObject object) {
    if (call.accept().as() == Accept.As.PARTIAL_METADATA_LIST) {
      throw notThatKind(served, "PartialObjectMetadataList", "is not a list", "");
    }
    Presentation presentation = presentation(call, served);
    return call.answer(status, presentation, presentation.encode(object));
  }

  public static Presentation presentation(Call call, Served served) {
    return served.presentations().of(call.accept(), call.query().text("includeObject"));
  }

  /** How a list is shown. */
  public static Presentation listPresentation(Call call, Served served) {
    if (call.accept().as() == Accept.As.PARTIAL_METADATA) {
      throw notThatKind(served, "PartialObjectMetadata", "is a list", "List");
    }
    return presentation(call, served);
  }

  private static ApiException notThatKind(Served served, String wanted, String why, String suffix) {
    String type =
        served.definition().rules().isCustom()
            ? "unstructured.Unstructured" + suffix
            : packageOf(served.group()) + "." + served.gvk().kind() + suffix;
    return Status.of(
            406,
            "NotAcceptable",
            "you requested " + wanted + ", but the requested object " + why + " (*" + type + ")")
        .asException();
  }

  /** A group as such messages have always named it. */
  private static String packageOf(String group) {
    int dot = group.indexOf('.');
    return group.isEmpty() || group.equals("events.k8s.io")
        ? "core"
        : dot < 0 ? group : group.substring(0, dot);
  }

  /** Which state a list shows. */
  private sealed interface State {
    record AtLeast(long version) implements State {}

    record Newest() implements State {}

    record Exactly(long version) implements State {}
  }

  public CompletableFuture<ApiResponse> list(Call call, Served served, Scope scope) {
    // As upstream: less than nothing is no limit.
    long limit = Math.max(0, call.query().number("limit", 0));
    String token = call.query().text("continue");
    // Lists take no time, but what is no number is the client's error.
    var _ = call.query().number("timeoutSeconds", 0);
    ContinueToken from = token.isEmpty() ? null : ContinueToken.parse(token);
    State state = state(call, from);
    if (state instanceof State.AtLeast any && any.version == 0) {
      limit = 0;
    }
    var page = new Page(call, served, scope, limit, from);
    return switch (state) {
      case State.Newest _ -> newest(served).thenApply(page::of);
      case State.AtLeast least -> served.cache().atLeast(least.version).thenApply(page::of);
      case State.Exactly exactly -> exactly(served, exactly.version, page);
    };
  }

  private static State state(Call call, @Nullable ContinueToken from) {
    String version = call.query().text("resourceVersion");
    String match = call.query().text("resourceVersionMatch");
    if (call.query().has("sendInitialEvents")) {
      throw invalid("sendInitialEvents", "sendInitialEvents is forbidden for list");
    }
    if (from != null) {
      if (!match.isEmpty()) {
        throw invalid(
            "resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
      }
      if (!version.isEmpty() && !version.equals("0")) {
        throw Status.badRequest("specifying resource version is not allowed when using continue")
            .asException();
      }
      return from.revision() == ContinueToken.INCONSISTENT
          ? new State.Newest()
          : new State.Exactly(from.revision());
    }
    if (version.isEmpty()) {
      if (!match.isEmpty()) {
        throw invalid(
            "resourceVersionMatch",
            "resourceVersionMatch is forbidden unless resourceVersion is provided");
      }
      return new State.Newest();
    }
    long wanted = version(version);
    return switch (match) {
      case "", "NotOlderThan" -> new State.AtLeast(wanted);
      case "Exact" -> {
        if (wanted == 0) {
          throw invalid(
              "resourceVersionMatch",
              "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        }
        yield new State.Exactly(wanted);
      }
      default ->
          throw Status.invalid(
                  "meta.k8s.io",
                  "ListOptions",
                  "",
                  List.of(
                      new dev.evenkeel.kernel.schema.FieldError(
                          dev.evenkeel.kernel.schema.FieldError.Reason.NOT_SUPPORTED,
                          "resourceVersionMatch",
                          "Unsupported value: \""
                              + match
                              + "\": supported values: \"Exact\", \"NotOlderThan\", \"\"")))
              .asException();
    };
  }

  static ApiException invalid(String field, String detail) {
    return Status.invalid(
            "meta.k8s.io",
            "ListOptions",
            "",
            List.of(
                new dev.evenkeel.kernel.schema.FieldError(
                    dev.evenkeel.kernel.schema.FieldError.Reason.FORBIDDEN,
                    field,
                    "Forbidden: " + detail)))
        .asException();
  }

  /** One page of a list, or all of it. */
  private static final class Page {
    private final Call call;
    private final Served served;
    private final Scope scope;
    private final long limit;
    private final @Nullable ContinueToken from;

    Page(Call call, Served served, Scope scope, long limit, @Nullable ContinueToken from) {
      this.call = call;
      this.served = served;
      this.scope = scope;
      this.limit = limit;
      this.from = from;
    }

    String firstKey() {
      String start = from == null ? "" : from.start();
      String first = scope.firstKey();
      return start.compareTo(first) > 0 ? start : first;
    }

    ApiResponse of(Snapshot snapshot) {
      if (limit == 0 && from == null) {
        Presentation presentation = listPresentation(call, served);
        return call.answer(
            presentation,
            ListStream.of(
                presentation,
                new Presentation.ListMeta(snapshot.revision(), null, -1),
                snapshot.tree(),
                scope));
      }
      List<CachedObject> items = new ArrayList<>();
      SortedTree.Walk<CachedObject> walk = snapshot.tree().from(firstKey());
      CachedObject object;
      boolean more = false;
      while ((object = walk.next()) != null && !scope.isPast(object)) {
        if (isFull(items, object)) {
          more = true;
          break;
        }
        if (scope.matches(object)) {
          items.add(object);
        }
      }
      long remaining = -1;
      if (more && !scope.isFiltered()) {
        remaining = scope.countIn(snapshot.tree(), items.getLast().key()) - 1L;
      }
      return of(snapshot.revision(), items, more, remaining);
    }

    /**
     * Whether the page ends before an object. As upstream, whether that one matches is for the next
     * page to find out: what this one costs does not depend on how far away the next match is.
     */
    boolean isFull(List<CachedObject> items, CachedObject next) {
      return limit > 0 && items.size() == limit && (!scope.isOne() || scope.matches(next));
    }

    ApiResponse of(long revision, List<CachedObject> items, boolean more, long remaining) {
      String next = more ? ContinueToken.after(revision, items.getLast().key()).encode() : null;
      Presentation presentation = listPresentation(call, served);
      return call.answer(
          presentation,
          ListStream.of(presentation, new Presentation.ListMeta(revision, next, remaining), items));
    }
  }

  private CompletableFuture<ApiResponse> exactly(Served served, long version, Page page) {
    return served
        .cache()
        .atLeast(version)
        .thenCompose(_ -> served.cache().exactly(version))
        .thenCompose(
            snapshot ->
                snapshot != null
                    ? CompletableFuture.completedFuture(page.of(snapshot))
                    : fromStore(
                        version,
                        page,
                        dev.evenkeel.kernel.bytes.Bytes.utf8(served.prefix() + page.firstKey()),
                        new ArrayList<>()));
  }

  /** A state that left the window, as long as the store still has it. */
  private CompletableFuture<ApiResponse> fromStore(
      long version, Page page, dev.evenkeel.kernel.bytes.Bytes start, List<CachedObject> items) {
    Served served = page.served;
    RangeQuery query =
        RangeQuery.prefix(
                dev.evenkeel.kernel.bytes.Bytes.utf8(served.prefix() + page.scope.firstKey()))
            .startingAt(start)
            .limit(STORE_PAGE_ITEMS)
            .at(version);
    return store
        .range(query)
        .handle(
            (range, failure) -> {
              if (failure != null) {
                throw expired(failure, page);
              }
              return range;
            })
        .thenCompose(
            range -> {
              for (KeyValue item : range.items()) {
                CachedObject object =
                    served
                        .cache()
                        .codec()
                        .read(item.key().utf8().substring(served.prefix().length()), item);
                if (page.isFull(items, object)) {
                  return CompletableFuture.completedFuture(page.of(version, items, true, -1));
                }
                if (page.scope.matches(object)) {
                  items.add(object);
                }
              }
              return range.more()
                  ? fromStore(version, page, range.items().getLast().key().successor(), items)
                  : CompletableFuture.completedFuture(page.of(version, items, false, -1));
            });
  }

  private static RuntimeException expired(Throwable failure, Page page) {
    Throwable cause = FutureFailure.cause(failure);
    if (!(cause instanceof StoreException.Compacted compacted)) {
      return Failures.translated(cause) instanceof RuntimeException e
          ? e
          : new CompletionException(cause);
    }
    if (page.from == null) {
      return Status.expired(
              "The resourceVersion for the provided list is too old: the oldest is "
                  + compacted.compactedRevision())
          .asException();
    }
    return Status.expired(
            "The provided continue parameter is too old to display a consistent list result. You"
                + " can start a new list without the continue parameter, or use the continue token"
                + " in this response to retrieve the remainder of the results. Continuing with the"
                + " provided token results in an inconsistent list - objects that were created,"
                + " modified, or deleted between the time the first chunk was returned and now may"
                + " show up in the list.")
        .withContinueToken(
            new ContinueToken(ContinueToken.INCONSISTENT, page.from.start()).encode())
        .asException();
  }
}

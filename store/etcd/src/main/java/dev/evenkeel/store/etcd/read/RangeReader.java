package dev.evenkeel.store.etcd.read;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeQuery.Content;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.etcd.client.CallFailed;
import dev.evenkeel.store.etcd.client.EtcdClient;
import dev.evenkeel.store.etcd.client.EtcdErrors;
import dev.evenkeel.store.etcd.client.Keyspace;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads. A range is read page by page, all pages at the first page's revision, so that no answer is
 * larger than what the connection takes; a page's size follows the size of what came before.
 *
 * <p><b>Threading.</b> Any thread; one range's pages follow one another.
 */
public final class RangeReader {

  private static final int PAGE_KEYS_FIRST = 256;
  private static final int PAGE_KEYS_MAX = 8192;
  private static final long PAGE_BYTES_WANTED = 4 << 20;

  /** How often a read of the newest state begins again because compaction overtook its pages. */
  private static final int RESTARTS_MAX = 5;

  private final EtcdClient client;
  private final Keyspace keyspace;
  private final Compaction compaction;

  public RangeReader(EtcdClient client, Keyspace keyspace, Compaction compaction) {
    this.client = client;
    this.keyspace = keyspace;
    this.compaction = compaction;
  }

  public CompletableFuture<GetResult> get(Bytes key, long revision) {
    var request =
        RangeRequest.newBuilder().setKey(keyspace.etcdKey(key)).setRevision(revision).build();
    return ask(request)
        .thenApply(
            response ->
                new GetResult(
                    revisionRead(revision, response),
                    response.getKvsCount() == 0 ? null : keyspace.keyValue(response.getKvs(0))));
  }

  public CompletableFuture<RangeResult> range(RangeQuery query) {
    Bytes prefix = query.prefix();
    Bytes start = query.start().compareTo(prefix) < 0 ? prefix : query.start();
    if (!start.startsWith(prefix)) {
      // Behind all keys with the prefix. The revision is still to be judged.
      return get(prefix.successor(), query.revision())
          .thenApply(read -> new RangeResult(read.revision(), List.of(), false, 0));
    }
    if (query.content() == Content.COUNT) {
      return count(prefix, start, query.revision());
    }
    return new Paged(query, start).read(0);
  }

  private CompletableFuture<RangeResult> count(Bytes prefix, Bytes start, long revision) {
    Keyspace.Span span = keyspace.span(prefix, start);
    var request =
        RangeRequest.newBuilder()
            .setKey(span.start())
            .setRangeEnd(span.end())
            .setRevision(revision)
            .setCountOnly(true)
            .build();
    return ask(request)
        .thenApply(
            response ->
                new RangeResult(
                    revisionRead(revision, response), List.of(), false, response.getCount()));
  }

  /** The newest revision, confirmed. */
  public CompletableFuture<Long> currentRevision() {
    return ask(headerOnly(Store.NEWEST)).thenApply(response -> response.getHeader().getRevision());
  }

  /** Fails like a read at the revision does; 0 always can be read. */
  public CompletableFuture<Long> checkReadable(long revision) {
    return ask(headerOnly(revision)).thenApply(response -> response.getHeader().getRevision());
  }

  private RangeRequest headerOnly(long revision) {
    return RangeRequest.newBuilder()
        .setKey(keyspace.mark())
        .setRevision(revision)
        .setCountOnly(true)
        .build();
  }

  private CompletableFuture<RangeResponse> ask(RangeRequest request) {
    return client
        .read(KVGrpc.getRangeMethod(), request)
        .thenApply(
            response -> {
              client.learnRevision(response.getHeader().getRevision());
              return response;
            })
        .exceptionallyCompose(error -> failed(request.getRevision(), error));
  }

  private <T> CompletableFuture<T> failed(long revision, Throwable error) {
    if (!(FutureFailure.cause(error) instanceof CallFailed failure)) {
      return CompletableFuture.failedFuture(FutureFailure.cause(error));
    }
    if (EtcdErrors.isCompacted(failure)) {
      return compaction.compacted(revision);
    }
    if (EtcdErrors.isFuture(failure)) {
      return currentRevision()
          .thenCompose(
              current ->
                  CompletableFuture.failedFuture(
                      new StoreException.FutureRevision(revision, current)));
    }
    if (EtcdErrors.isAnswerTooLarge(failure)) {
      return CompletableFuture.failedFuture(failure);
    }
    return CompletableFuture.failedFuture(EtcdErrors.notDone(failure));
  }

  private static long revisionRead(long asked, RangeResponse response) {
    return asked == Store.NEWEST ? response.getHeader().getRevision() : asked;
  }

  /** One range with its pages. */
  private final class Paged {

    private final RangeQuery query;
    private final Bytes start;
    private List<KeyValue> items = new ArrayList<>();
    private long revision;
    private int pageKeys = PAGE_KEYS_FIRST;

    Paged(RangeQuery query, Bytes start) {
      this.query = query;
      this.start = start;
    }

    CompletableFuture<RangeResult> read(int restarts) {
      items = new ArrayList<>();
      revision = query.revision();
      return page(start)
          .exceptionallyCompose(
              error -> {
                boolean overtaken =
                    query.revision() == Store.NEWEST
                        && FutureFailure.cause(error) instanceof StoreException.Compacted;
                return overtaken && restarts < RESTARTS_MAX
                    ? read(restarts + 1)
                    : CompletableFuture.failedFuture(FutureFailure.cause(error));
              });
    }

    private CompletableFuture<RangeResult> page(Bytes from) {
      int wanted = query.limit() == 0 ? pageKeys : Math.min(pageKeys, query.limit() - items.size());
      Keyspace.Span span = keyspace.span(query.prefix(), from);
      var request =
          RangeRequest.newBuilder()
              .setKey(span.start())
              .setRangeEnd(span.end())
              .setLimit(wanted)
              .setRevision(revision)
              .setKeysOnly(query.content() == Content.KEYS)
              .build();
      return ask(request)
          .thenCompose(this::take)
          .exceptionallyCompose(
              error -> {
                boolean tooLarge =
                    FutureFailure.cause(error) instanceof CallFailed failure
                        && EtcdErrors.isAnswerTooLarge(failure);
                if (tooLarge && pageKeys > 1) {
                  pageKeys = Math.max(1, pageKeys / 8);
                  return page(from);
                }
                return CompletableFuture.failedFuture(FutureFailure.cause(error));
              });
    }

    private CompletableFuture<RangeResult> take(RangeResponse response) {
      revision = revisionRead(revision, response);
      for (io.etcd.jetcd.api.KeyValue kv : response.getKvsList()) {
        items.add(keyspace.keyValue(kv));
      }
      boolean full = query.limit() > 0 && items.size() >= query.limit();
      if (response.getMore() && !full && response.getKvsCount() > 0) {
        long bytesEach = Math.max(1, response.getSerializedSize() / response.getKvsCount());
        pageKeys = Math.clamp(PAGE_BYTES_WANTED / bytesEach, 1, PAGE_KEYS_MAX);
        return page(items.getLast().key().successor());
      }
      return CompletableFuture.completedFuture(
          new RangeResult(revision, List.copyOf(items), response.getMore(), items.size()));
    }
  }
}

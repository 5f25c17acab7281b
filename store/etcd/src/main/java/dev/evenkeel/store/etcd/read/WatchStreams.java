package dev.evenkeel.store.etcd.read;

import com.google.protobuf.ByteString;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.etcd.client.CallFailed;
import dev.evenkeel.store.etcd.client.Endpoint;
import dev.evenkeel.store.etcd.client.EtcdClient;
import dev.evenkeel.store.etcd.client.Keyspace;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Opens watches on etcd, each on a stream of its own. A stream ends when its member loses its
 * leader, so that none is left behind on a member that hears nothing. It never mends itself:
 * whoever opened it knows what was delivered and opens the next.
 */
public final class WatchStreams {

  private static final Duration COMPACTED_TIMEOUT = Duration.ofSeconds(2);

  private final EtcdClient client;
  private final Loop loop;

  public WatchStreams(EtcdClient client, Loop loop) {
    this.client = client;
    this.loop = loop;
  }

  /** What a stream tells, always on the loop, and nothing after {@link Stream#close}. */
  interface Listener {

    /** Created, events, progress or canceled: the next answer is taken when this one returns. */
    void onResponse(WatchResponse response);

    /** It is over, and will not say anything again. */
    void onEnd(CallFailed failure);
  }

  /** An open stream. On the loop. */
  interface Stream {

    Endpoint endpoint();

    void close();
  }

  /** Watches a range from the revision on, with previous values. On the loop. */
  Stream open(Keyspace.Span span, long fromRevision, Listener listener) {
    var request =
        WatchCreateRequest.newBuilder()
            .setKey(span.start())
            .setRangeEnd(span.end())
            .setStartRevision(fromRevision)
            .setPrevKv(true)
            .setProgressNotify(true);
    // CommitAssembler puts together again what belongs together.
    Fragments.allow(request);
    return open(request.build(), listener);
  }

  /**
   * The compacted revision, for a revision that lies below it. etcd tells within a tenth of a
   * second; if it does not, the answer is what follows from the revision alone.
   */
  CompletableFuture<Long> compactedRevision(ByteString key, long belowCompacted) {
    var result = new CompletableFuture<Long>();
    Runnable probe =
        () -> {
          var request =
              WatchCreateRequest.newBuilder().setKey(key).setStartRevision(belowCompacted).build();
          Stream stream =
              open(
                  request,
                  new Listener() {
                    @Override
                    public void onResponse(WatchResponse response) {
                      if (response.getCompactRevision() > 0) {
                        result.complete(response.getCompactRevision());
                      }
                    }

                    @Override
                    public void onEnd(CallFailed failure) {
                      result.complete(belowCompacted + 1);
                    }
                  });
          // Whoever completes the result does so on the loop.
          var timer = loop.runLater(COMPACTED_TIMEOUT, () -> result.complete(belowCompacted + 1));
          var _ =
              result.whenComplete(
                  (_, _) -> {
                    timer.cancel();
                    stream.close();
                  });
        };
    try {
      loop.execute(probe);
    } catch (RejectedExecutionException _) {
      result.complete(belowCompacted + 1);
    }
    return result;
  }

  private Stream open(WatchCreateRequest request, Listener listener) {
    var stream = new GrpcStream(client.currentEndpoint(), listener);
    stream.start(WatchRequest.newBuilder().setCreateRequest(request).build());
    return stream;
  }

  private final class GrpcStream extends ClientCall.Listener<WatchResponse> implements Stream {

    private final Endpoint endpoint;
    private final Listener listener;
    private boolean over;
    private @Nullable ClientCall<WatchRequest, WatchResponse> call;

    GrpcStream(Endpoint endpoint, Listener listener) {
      this.endpoint = endpoint;
      this.listener = listener;
    }

    void start(WatchRequest request) {
      var _ =
          client
              .headers(endpoint)
              .whenComplete(
                  (headers, error) ->
                      onLoop(
                          () -> {
                            if (error != null) {
                              end(Status.fromThrowable(FutureFailure.cause(error)));
                            } else if (!over) {
                              begin(request, headers);
                            }
                          }));
    }

    private void begin(WatchRequest request, Metadata headers) {
      var begun = endpoint.channel().newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT);
      call = begun;
      begun.start(this, headers);
      begun.request(1);
      begun.sendMessage(request);
    }

    @Override
    public Endpoint endpoint() {
      return endpoint;
    }

    @Override
    public void onMessage(WatchResponse message) {
      onLoop(
          () -> {
            if (over) {
              return;
            }
            listener.onResponse(message);
            if (!over && call != null) {
              call.request(1);
            }
          });
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      onLoop(() -> end(status));
    }

    private void end(Status status) {
      if (!over) {
        over = true;
        listener.onEnd(new CallFailed(status, true, endpoint.name()));
      }
    }

    @Override
    public void close() {
      over = true;
      if (call != null) {
        call.cancel("not needed any more", null);
      }
    }

    /** Never at once, even on the loop: who opens a stream must hold it before it speaks. */
    private void onLoop(Runnable task) {
      try {
        loop.execute(task);
      } catch (RejectedExecutionException _) {
        // The store is closed, and with it every stream.
      }
    }
  }
}

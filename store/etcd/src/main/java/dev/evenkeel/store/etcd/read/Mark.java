package dev.evenkeel.store.etcd.read;

import com.google.protobuf.ByteString;
import dev.evenkeel.store.etcd.client.EtcdClient;
import dev.evenkeel.store.etcd.client.Keyspace;
import dev.evenkeel.store.etcd.client.LiveEtcdCounters;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;

/**
 * Writes the mark key, so that a watch which has nothing to tell has something to tell.
 *
 * <p>When the store's newest revision belongs to somebody else in the same etcd, a watch on our own
 * keys stays silent, and silence does not say whether it has come that far. Older etcds have no
 * trustworthy way to ask (issue 15220). An event of our own has: it comes behind all before it.
 * Where an etcd serves one Evenkeel alone, its newest revision is nearly always ours and the mark
 * is not written.
 *
 * <p><b>Threading.</b> On the loop.
 */
public final class Mark {

  private final EtcdClient client;
  private final Keyspace keyspace;
  private final LiveEtcdCounters tally;
  private volatile boolean underWay;

  public Mark(EtcdClient client, Keyspace keyspace, LiveEtcdCounters tally) {
    this.client = client;
    this.keyspace = keyspace;
    this.tally = tally;
  }

  /** Writes it, unless that is being done already. Nobody waits for it: the watch will tell. */
  void write() {
    if (underWay) {
      return;
    }
    underWay = true;
    tally.marksWritten.increment();
    var request =
        PutRequest.newBuilder().setKey(keyspace.mark()).setValue(ByteString.EMPTY).build();
    var _ =
        client
            .read(KVGrpc.getPutMethod(), request)
            .whenComplete(
                (response, _) -> {
                  if (response != null) {
                    client.learnRevision(response.getHeader().getRevision());
                  }
                  underWay = false;
                });
  }
}

package dev.evenkeel.decide.world;

import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A network that can be cut: what is sent meanwhile arrives once it is mended, or never. */
public final class UnreliableTransport implements Transport {

  private record Held(Request request, CompletableFuture<Answer> answer) {}

  private final Transport to;
  private final List<Held> held = new ArrayList<>();
  private boolean cut;

  public UnreliableTransport(Transport to) {
    this.to = to;
  }

  public void cut() {
    cut = true;
  }

  /** Everything that was sent arrives now, late. */
  public void mend() {
    cut = false;
    List<Held> late = List.copyOf(held);
    held.clear();
    for (Held each : late) {
      var _ =
          to.send(each.request())
              .whenComplete(
                  (answer, failure) -> {
                    if (failure == null) {
                      each.answer().complete(answer);
                    } else {
                      each.answer().completeExceptionally(failure);
                    }
                  });
    }
  }

  @Override
  public CompletableFuture<Answer> send(Request request) {
    if (!cut) {
      return to.send(request);
    }
    var answer = new CompletableFuture<Answer>();
    held.add(new Held(request, answer));
    return answer;
  }

  @Override
  public void close() {
    to.close();
  }
}

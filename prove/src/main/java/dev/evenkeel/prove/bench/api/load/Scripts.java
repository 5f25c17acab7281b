package dev.evenkeel.prove.bench.api.load;

import dev.evenkeel.prove.bench.api.wire.Request;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The scripts of the phases. */
public final class Scripts {

  private Scripts() {}

  /** Creates the objects with the given numbers, each once. */
  public static Script create(LoadObjects objects, int from, int to, int clients) {
    objects.grow(to);
    var next = new AtomicInteger(from);
    int[] current = new int[clients];
    return new Script() {
      @Override
      public @Nullable Request next(int client) {
        int index = next.getAndIncrement();
        if (index >= to) {
          return null;
        }
        current[client] = index;
        return Request.post(objects.collectionPath(), objects.body(index, System.nanoTime()));
      }

      @Override
      public @Nullable String check(int client, Answer answer) {
        return written(objects, current[client], answer, 201);
      }
    };
  }

  /** Reads objects by chance, as long as there is time. */
  public static Script get(LoadObjects objects, int clients) {
    var randoms = randoms(clients);
    return new Script() {
      @Override
      public Request next(int client) {
        return Request.get(objects.path(randoms[client].nextInt(objects.size())));
      }

      @Override
      public @Nullable String check(int client, Answer answer) {
        return answer.status() != 200
            ? "status " + answer.status()
            : answer.resourceVersion() < 0 ? "an object without a version" : null;
      }
    };
  }

  /**
   * Changes objects, each client its own, on the condition that nobody else has.
   *
   * @param written told of every version that came of it
   */
  public static Script update(LoadObjects objects, int clients, LongConsumer written) {
    var randoms = randoms(clients);
    int[] current = new int[clients];
    return new Script() {
      @Override
      public Request next(int client) {
        int own = (objects.size() - client + clients - 1) / clients;
        int index = randoms[client].nextInt(own) * clients + client;
        current[client] = index;
        return Request.put(objects.path(index), objects.body(index, System.nanoTime()));
      }

      @Override
      public @Nullable String check(int client, Answer answer) {
        String wrong = written(objects, current[client], answer, 200);
        if (wrong == null) {
          written.accept(objects.version(current[client]));
        }
        return wrong;
      }
    };
  }

  /**
   * Asks for the same again and again, or a number of times in all.
   *
   * @param lengthMin what is shorter is wrong
   */
  public static Script repeat(String path, long lengthMin, int timesMax) {
    var times = new AtomicInteger();
    return new Script() {
      @Override
      public @Nullable Request next(int client) {
        return times.getAndIncrement() < timesMax ? Request.get(path) : null;
      }

      @Override
      public @Nullable String check(int client, Answer answer) {
        return answer.status() != 200
            ? "status " + answer.status()
            : answer.length() < lengthMin ? "an answer that is too short" : null;
      }
    };
  }

  /** Deletes what is at these paths, each once; what is gone already is as good. */
  public static Script delete(List<String> paths) {
    var next = new AtomicInteger();
    return new Script() {
      @Override
      public @Nullable Request next(int client) {
        int index = next.getAndIncrement();
        return index < paths.size() ? Request.delete(paths.get(index)) : null;
      }

      @Override
      public @Nullable String check(int client, Answer answer) {
        boolean good = answer.status() == 200 || answer.status() == 202 || answer.status() == 404;
        return good ? null : "status " + answer.status();
      }
    };
  }

  /** Asks for nothing, for a while. */
  public static Script idle(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    return new Script() {
      @Override
      public @Nullable Request next(int client) {
        return null;
      }

      @Override
      public @Nullable String check(int client, Answer answer) {
        return null;
      }

      @Override
      public long pauseNanos(int client, long nowNanos) {
        return end - nowNanos;
      }
    };
  }

  private static @Nullable String written(
      LoadObjects objects, int index, Answer answer, int statusExpected) {
    if (answer.status() != statusExpected) {
      return "status " + answer.status();
    }
    long version = answer.resourceVersion();
    if (version < 0) {
      return "an object without a version";
    }
    objects.seen(index, version);
    return null;
  }

  private static SplittableRandom[] randoms(int clients) {
    var randoms = new SplittableRandom[clients];
    for (int i = 0; i < clients; i++) {
      randoms[i] = new SplittableRandom(i);
    }
    return randoms;
  }
}

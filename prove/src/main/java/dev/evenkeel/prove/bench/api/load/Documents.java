package dev.evenkeel.prove.bench.api.load;

import dev.evenkeel.prove.bench.api.wire.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one document after another, each a number of times: the first time may be the one for
 * which it is made.
 *
 * <p>Threading: for one client; read when that has ended.
 */
public final class Documents implements Script {

  private final List<Reading> readings = new ArrayList<>();
  private final int times;
  private int asked;
  private long askedNanos;

  /** What was seen of a document. Not a number, and 0, if it was never had. */
  public static final class Reading {

    private final String name;
    private final Request request;
    private final Histogram again = new Histogram();
    private double firstMillis = Double.NaN;
    private long length;

    private Reading(String name, Request request) {
      this.name = name;
      this.request = request;
    }

    public String name() {
      return name;
    }

    public double firstMillis() {
      return firstMillis;
    }

    /** All times but the first. */
    public Histogram again() {
      return again;
    }

    /** As it was sent. */
    public long length() {
      return length;
    }
  }

  public Documents(int times) {
    this.times = times;
  }

  public void add(String name, Request request) {
    readings.add(new Reading(name, request));
  }

  public List<Reading> readings() {
    return readings;
  }

  @Override
  public @Nullable Request next(int client) {
    if (asked == readings.size() * times) {
      return null;
    }
    Reading reading = readings.get(asked++ / times);
    askedNanos = System.nanoTime();
    return reading.request;
  }

  @Override
  public @Nullable String check(int client, Answer answer) {
    long nanos = System.nanoTime() - askedNanos;
    Reading reading = readings.get((asked - 1) / times);
    if (answer.status() != 200) {
      return reading.name + ": status " + answer.status();
    }
    if (asked % times == 1 || times == 1) {
      reading.firstMillis = nanos / 1e6;
    } else {
      reading.again.record(nanos);
    }
    reading.length = answer.length();
    return null;
  }
}

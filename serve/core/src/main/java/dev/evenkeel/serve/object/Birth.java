package dev.evenkeel.serve.object;

import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import org.jspecify.annotations.Nullable;

/**
 * What a new object is given by chance and by the clock. A create that is decided again comes to
 * the same object, so that whoever was asked about it need not be asked again.
 *
 * <p><b>Threading:</b> owned by the request.
 */
public final class Birth {

  private final Clock clock;
  private final Uids uids;
  private @Nullable String uid;
  private @Nullable Name name;
  private @Nullable String time;

  private record Name(String base, String made) {}

  Birth(Clock clock, Uids uids) {
    this.clock = clock;
    this.uids = uids;
  }

  String uid() {
    String known = uid;
    if (known == null) {
      known = uids.uid();
      uid = known;
    }
    return known;
  }

  /** A name that begins so. */
  String nameFrom(String base) {
    Name known = name;
    if (known == null || !known.base.equals(base)) {
      known = new Name(base, uids.nameFrom(base));
      name = known;
    }
    return known.made;
  }

  String time() {
    String known = time;
    if (known == null) {
      known = WireTime.seconds(clock.now());
      time = known;
    }
    return known;
  }

  /** From now on another object is meant: the name of this one is taken. */
  public void again() {
    uid = null;
    name = null;
    time = null;
  }
}

package dev.evenkeel.serve.token;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cache.CachedObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object that a token depends on. What was read of the object is remembered for as long as it is
 * the same version, so that most requests read nothing.
 *
 * <p><b>Threading:</b> any; those who come at once may both read it.
 */
final class BoundObject {

  /** How it is. */
  enum State {
    THERE,
    GONE,
    /** One of the same name. */
    OTHER,
    /** It is on its way, for longer than tokens outlive it. */
    DELETED
  }

  /**
   * What is known of a version.
   *
   * @param deletedSeconds when it was or will be deleted
   */
  private record Seen(CachedObject version, boolean same, long deletedSeconds) {}

  private final String name;
  private final String uid;
  private volatile @Nullable Seen seen;

  BoundObject(TokenClaims.Bound claimed) {
    this.name = claimed.name();
    this.uid = claimed.uid();
  }

  String name() {
    return name;
  }

  String uid() {
    return uid;
  }

  /**
   * Looks at what is there now.
   *
   * @param deadlineSeconds what was deleted before is gone
   */
  State look(@Nullable CachedObject now, long deadlineSeconds) {
    if (now == null) {
      return State.GONE;
    }
    Seen known = seen;
    if (known == null || known.version != now) {
      known = read(now);
      seen = known;
    }
    if (!known.same) {
      return State.OTHER;
    }
    return known.deletedSeconds < deadlineSeconds ? State.DELETED : State.THERE;
  }

  private Seen read(CachedObject version) {
    ObjectNode object = Json.parseObject(version.json());
    Instant deleted = WireTime.parse(Meta.text(object.path("metadata").path("deletionTimestamp")));
    return new Seen(
        version,
        Meta.uid(object).equals(uid),
        deleted == null ? Long.MAX_VALUE : deleted.getEpochSecond());
  }
}

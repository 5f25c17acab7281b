package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;

/**
 * A way to write an object: as it is, as a table with one row, as metadata only, in another version
 * of the API. Equal representations make equal bytes, so what one made serves all.
 */
public interface Representation {

  /** The object as it is stored. */
  Representation AS_STORED = CachedObject::json;

  byte[] encode(CachedObject object);

  /** How a watch shows what comes after its first object: a table tells its columns once. */
  default Representation following() {
    return this;
  }

  /** The bookmark's object: nothing but its kind and the version, and the closing annotation. */
  default byte[] bookmark(Bookmark bookmark) {
    return bookmark.json();
  }

  /** A status, for the event that tells why a watch ends. */
  default byte[] status(Status status) {
    return Json.encode(status.toJson());
  }

  /** What stands around these objects in events. */
  default EventFrame frame() {
    return EventFrame.JSON;
  }
}

package dev.evenkeel.serve.cache;

/**
 * A way to write an object: as it is, as a table with one row, as metadata only, in another version
 * of the API. Equal representations make equal bytes, so what one made serves all.
 */
public interface Representation {

  /** The object as it is stored. */
  Representation AS_STORED = CachedObject::json;

  byte[] encode(CachedObject object);

  /** The bookmark's object: nothing but its kind and the version, and the closing annotation. */
  default byte[] bookmark(Bookmark bookmark) {
    return bookmark.json();
  }
}

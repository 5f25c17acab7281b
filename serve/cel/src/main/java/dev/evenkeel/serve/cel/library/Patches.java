package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.string;

/** What helps to write patches; known only where they can be made. */
final class Patches {

  private Patches() {}

  static void addTo(Library library) {
    library
        .declare("string_jsonpatch_escapeKey_string", "jsonpatch.escapeKey(string) -> string")
        .define(
            "jsonpatch.escapeKey",
            (a, meter) -> string(a[0]).replace("~", "~0").replace("/", "~1"));
  }
}

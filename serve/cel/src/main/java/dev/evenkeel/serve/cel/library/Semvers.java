package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.string;

import dev.evenkeel.serve.cel.notation.Semver;

/** Functions of versions, but for those that order, which {@link Quantities} has. */
final class Semvers {

  private static final String TYPE = "kubernetes.Semver";

  private Semvers() {}

  static void addTo(Library library) {
    library
        .declare("string_to_semver", "semver(string) -> " + TYPE)
        .declare("string_bool_to_semver", "semver(string, bool) -> " + TYPE)
        .define("semver", (a, meter) -> parsed(a))
        .declare("is_semver_string", "isSemver(string) -> bool")
        .declare("is_semver_string_bool", "isSemver(string, bool) -> bool")
        .define(
            "isSemver",
            (a, meter) ->
                Addresses.succeeds(isTolerant(a) ? Semver::tolerant : Semver::of, string(a[0])))
        .declare("semver_is_greater_than", TYPE + "::isGreaterThan(" + TYPE + ") -> bool")
        .declare("semver_is_less_than", TYPE + "::isLessThan(" + TYPE + ") -> bool")
        .declare("semver_compare_to", TYPE + "::compareTo(" + TYPE + ") -> int")
        .declare("semver_major", TYPE + "::major() -> int")
        .define("major", (a, meter) -> Library.of(Semver.class, a[0]).major())
        .declare("semver_minor", TYPE + "::minor() -> int")
        .define("minor", (a, meter) -> Library.of(Semver.class, a[0]).minor())
        .declare("semver_patch", TYPE + "::patch() -> int")
        .define("patch", (a, meter) -> Library.of(Semver.class, a[0]).patch());
  }

  private static Semver parsed(Object[] a) {
    return isTolerant(a) ? Semver.tolerant(string(a[0])) : Semver.of(string(a[0]));
  }

  private static boolean isTolerant(Object[] a) {
    return a.length == 2 && Library.of(Boolean.class, a[1]);
  }
}

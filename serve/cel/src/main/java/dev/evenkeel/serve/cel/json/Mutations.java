package dev.evenkeel.serve.cel.json;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.MapValue;
import dev.evenkeel.serve.cel.value.ObjectValue;
import dev.evenkeel.serve.cel.value.OptionalValue;
import dev.evenkeel.serve.cel.value.PatchValue;
import dev.evenkeel.serve.cel.value.Values;
import java.util.ArrayList;
import java.util.List;

/** What no checker of types can see of the changes that an expression makes. */
public final class Mutations {

  private Mutations() {}

  /**
   * Checks an object, or the value of a patch: the type of an object below it must be named after
   * its place, so that {@code Object.spec{}} is not taken for a template.
   *
   * @throws EvaluationError if one is not, or if a map has keys that JSON does not know
   */
  public static void check(Object value, Meter meter) {
    var problems = new ArrayList<String>();
    look(value, value instanceof ObjectValue object ? object.typeName() : "", meter, problems);
    if (!problems.isEmpty()) {
      throw new EvaluationError("type mismatch: " + String.join("\n", problems));
    }
  }

  /** Checks the values of a list of patches. */
  public static void checkPatches(ListValue patches, Meter meter) {
    for (int i = 0; i < patches.size(); i++) {
      if (patches.get(i) instanceof PatchValue patch && patch.value() != null) {
        check(patch.value(), meter);
      }
    }
  }

  /**
   * @param place the type that objects must have there; empty where any may be
   */
  private static void look(Object value, String place, Meter meter, List<String> problems) {
    meter.work(1);
    switch (value) {
      case JsonList _, JsonMap _ -> {}
      case ObjectValue object -> {
        if (!place.isEmpty() && !object.typeName().equals(place)) {
          problems.add(
              "unexpected type name \""
                  + object.typeName()
                  + "\", expected \""
                  + place
                  + "\", which matches field name path from root Object type");
        }
        for (Object name : object.fields().keys()) {
          Object field = object.fields().find(name);
          if (field != null) {
            look(field, place.isEmpty() ? "" : place + "." + name, meter, problems);
          }
        }
      }
      case ListValue list -> {
        for (int i = 0; i < list.size(); i++) {
          look(list.get(i), place, meter, problems);
        }
      }
      case MapValue map -> {
        for (Object key : map.keys()) {
          checkKey(key);
          Object entry = map.find(key);
          if (entry != null) {
            look(entry, place, meter, problems);
          }
        }
      }
      case OptionalValue optional -> {
        if (optional.value() != null) {
          look(optional.value(), place, meter, problems);
        }
      }
      default -> {}
    }
  }

  private static void checkKey(Object key) {
    if (!(key instanceof String)) {
      throw new EvaluationError(
          "map key \""
              + Values.text(key)
              + "\" is of type "
              + Values.typeName(key)
              + ", not string");
    }
  }
}

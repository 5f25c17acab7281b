package dev.evenkeel.serve.kinds.rules.storage;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Attributes that volumes can be given and have changed: a class says them once and for all. */
public final class VolumeAttributesClassRules implements KindRules {

  private static final int PARAMETERS_MAX = 512;
  private static final int PARAMETERS_BYTES_MAX = 256 * 1024;

  @Override
  public void validate(ObjectNode object, Problems problems) {
    Place whole = Place.of(object, problems);
    Place driver = whole.at("driverName");
    if (!driver.isEmpty()) {
      driver.invalid(Names.qualifiedName(driver.text().toLowerCase(Locale.ROOT)));
    }
    Place parameters = whole.at("parameters");
    if (parameters.size() > PARAMETERS_MAX) {
      parameters.tooLong(PARAMETERS_MAX);
      return;
    }
    long bytes = 0;
    for (Place entry : parameters.entries()) {
      if (entry.entryKey().isEmpty()) {
        parameters.invalid("", "field can not be empty.");
      }
      bytes += entry.entryKey().length() + entry.text().length();
    }
    if (bytes > PARAMETERS_BYTES_MAX) {
      parameters.tooLong(PARAMETERS_BYTES_MAX);
    }
    if (parameters.isEmpty()) {
      parameters.required("must contain at least one key/value pair");
    }
  }

  @Override
  public void validateUpdate(ObjectNode object, ObjectNode old, Problems problems) {
    Place whole = Place.of(object, problems);
    for (String field : new String[] {"driverName", "parameters"}) {
      if (!Same.same(object.path(field), old.path(field))) {
        whole.at(field).forbidden("updates to " + field + " are forbidden.");
      }
    }
  }
}

package dev.evenkeel.serve.kinds.rules.storage;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Classes of storage. */
public final class StorageClassRules implements KindRules {

  private static final int PARAMETERS_MAX = 512;
  private static final int PARAMETER_CHARS_MAX = 256 * 1024;

  @Override
  public void validate(ObjectNode storageClass, Problems problems) {
    Place whole = Place.of(storageClass, problems);
    Place provisioner = whole.at("provisioner");
    if (!provisioner.isEmpty()) {
      provisioner.invalid(Names.qualifiedName(provisioner.text().toLowerCase(Locale.ROOT)));
    }
    parameters(whole.at("parameters"));
    for (Place term : whole.at("allowedTopologies").items()) {
      topology(term.at("matchLabelExpressions"));
    }
  }

  private static void parameters(Place parameters) {
    if (parameters.size() > PARAMETERS_MAX) {
      parameters.tooLong(PARAMETERS_MAX);
    }
    long chars = 0;
    for (var entry : parameters.stringMap().entrySet()) {
      if (entry.getKey().isEmpty()) {
        parameters.invalid("", "field can not be empty.");
      }
      chars += entry.getKey().length() + entry.getValue().length();
    }
    if (chars > PARAMETER_CHARS_MAX) {
      parameters.tooLong(PARAMETER_CHARS_MAX);
    }
  }

  private static void topology(Place expressions) {
    Set<String> keys = new HashSet<>();
    for (Place expression : expressions.items()) {
      Place key = expression.at("key");
      key.invalid(Names.qualifiedName(key.text()));
      if (!keys.add(key.text())) {
        key.duplicate();
      }
      Set<String> values = new HashSet<>();
      for (Place value : expression.at("values").items()) {
        if (!values.add(value.text())) {
          value.duplicate();
        }
      }
    }
  }

  @Override
  public void validateUpdate(ObjectNode storageClass, ObjectNode old, Problems problems) {
    Place whole = Place.of(storageClass, problems);
    for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
      if (!Same.same(whole.at(field).node(), old.path(field))) {
        whole.at(field).forbidden("updates to " + field + " are forbidden.");
      }
    }
    whole.at("volumeBindingMode").immutable(old.path("volumeBindingMode"));
  }
}

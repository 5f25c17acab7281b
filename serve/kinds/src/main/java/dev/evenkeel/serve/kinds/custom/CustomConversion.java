package dev.evenkeel.serve.kinds.custom;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.kinds.Conversion;
import dev.evenkeel.serve.kinds.structural.StructuralSchema;
import tools.jackson.databind.node.ObjectNode;

/**
 * Versions of a custom kind differ in their schemas alone: what is read takes the name of the
 * version, loses what its schema does not know, and gets the defaults it lacks.
 */
record CustomConversion(Gvk served, Gvk stored, StructuralSchema schema) implements Conversion {

  @Override
  public ObjectNode toStored(ObjectNode object) {
    object.put("apiVersion", stored.apiVersion());
    return object;
  }

  @Override
  public ObjectNode toServed(ObjectNode object) {
    object.put("apiVersion", served.apiVersion());
    schema.prune(object);
    schema.applyDefaults(object);
    return object;
  }
}

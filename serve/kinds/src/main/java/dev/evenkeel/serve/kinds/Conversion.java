package dev.evenkeel.serve.kinds;

import tools.jackson.databind.node.ObjectNode;

/** Between a served version and the stored one. Both may change the tree they are given. */
public interface Conversion {

  /** For kinds that are served as they are stored. */
  Conversion NONE =
      new Conversion() {
        @Override
        public ObjectNode toStored(ObjectNode served) {
          return served;
        }

        @Override
        public ObjectNode toServed(ObjectNode stored) {
          return stored;
        }
      };

  ObjectNode toStored(ObjectNode served);

  ObjectNode toServed(ObjectNode stored);
}

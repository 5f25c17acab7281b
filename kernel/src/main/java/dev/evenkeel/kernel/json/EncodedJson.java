package dev.evenkeel.kernel.json;

/** JSON that was written already, as a leaf of a tree that is to be encoded. */
record EncodedJson(String json) {}

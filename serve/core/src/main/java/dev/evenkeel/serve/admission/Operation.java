package dev.evenkeel.serve.admission;

/** What is done to an object. */
public enum Operation {
  CREATE,
  UPDATE,
  DELETE,
  /** Opens a stream to something, such as a pod's shell. */
  CONNECT
}

package dev.evenkeel.store.rocksdb;

/** What an acknowledged write survives. */
public enum Durability {
  /** The loss of power: it was synced to the disk. */
  SYNC,
  /** The end of this process: the operating system has it, and writes it when it likes. */
  OS
}

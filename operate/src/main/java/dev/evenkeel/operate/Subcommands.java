package dev.evenkeel.operate;

import java.util.List;

/**
 * Adds commands below {@code evenkeel}. Found by {@link java.util.ServiceLoader}, so that what
 * stands behind the command in the flow, the benchmarks for one, can take part in it without being
 * known to it.
 */
public interface Subcommands {

  /** Objects with picocli's {@code @Command}, each with a name that nobody else has. */
  List<Object> commands();
}

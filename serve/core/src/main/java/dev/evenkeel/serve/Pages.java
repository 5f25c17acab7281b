package dev.evenkeel.serve;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What another part of the process shows of itself through the API, below a path of its own. */
@FunctionalInterface
public interface Pages {

  /**
   * A page.
   *
   * @param path what follows the part's own name
   * @param query the value of a parameter, empty if it was not given
   * @return null if there is no such page
   */
  @Nullable ObjectNode page(List<String> path, UnaryOperator<String> query);
}

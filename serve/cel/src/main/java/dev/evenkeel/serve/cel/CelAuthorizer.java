package dev.evenkeel.serve.cel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says who may do what, for expressions. Asked on the evaluating thread; must not block. */
@FunctionalInterface
public interface CelAuthorizer {

  /** Every version of a group, which is all that expressions ask for. */
  String ANY_VERSION = "*";

  Decision decide(Question question);

  /**
   * What somebody wants to do. What does not apply is empty.
   *
   * @param user null for the one whose request it is
   * @param path of what is no resource; empty for resources
   * @param labelSelector as written; one that cannot be read says nothing about the question
   * @param fieldSelector likewise
   */
  record Question(
      @Nullable User user,
      String verb,
      String path,
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name,
      String labelSelector,
      String fieldSelector) {

    /** Whether it is about a resource, and not about a path. */
    public boolean isResource() {
      return path.isEmpty();
    }
  }

  /** Somebody else than the one whose request it is, as {@code serviceAccount()} names them. */
  record User(String name, List<String> groups) {

    public User {
      groups = List.copyOf(groups);
    }
  }

  /**
   * The answer; neither allowed nor denied if there is no opinion.
   *
   * @param error what went wrong when it was looked for, null if nothing did
   */
  record Decision(boolean allowed, boolean denied, String reason, @Nullable String error) {}
}

package dev.evenkeel.serve.describe;

import java.util.List;

/** What can be said in a path or a query. */
enum Parameter {
  NAME("name", "string", "name of the object"),
  NAMESPACE("namespace", "string", "namespace of the object"),
  ALLOW_WATCH_BOOKMARKS("allowWatchBookmarks", "boolean", "whether a watch may send bookmarks"),
  CONTINUE("continue", "string", "the token that the chunk before came with"),
  DRY_RUN("dryRun", "string", "All: do everything but write"),
  FIELD_MANAGER("fieldManager", "string", "the name under which the fields are owned"),
  FIELD_SELECTOR("fieldSelector", "string", "only objects with these values in their fields"),
  FIELD_VALIDATION(
      "fieldValidation", "string", "Ignore, Warn or Strict: what to do about unknown fields"),
  FORCE("force", "boolean", "take fields over from their owners"),
  GRACE_PERIOD_SECONDS("gracePeriodSeconds", "integer", "how long the object may take to end"),
  IGNORE_STORE_READ_ERROR(
      "ignoreStoreReadErrorWithClusterBreakingPotential",
      "boolean",
      "has no effect: what the store holds can always be read"),
  LABEL_SELECTOR("labelSelector", "string", "only objects with these labels"),
  LIMIT("limit", "integer", "how many objects a chunk has at most"),
  ORPHAN_DEPENDENTS("orphanDependents", "boolean", "older form of propagationPolicy"),
  PRETTY("pretty", "string", "true: with line breaks and indentation"),
  PROPAGATION_POLICY(
      "propagationPolicy",
      "string",
      "Orphan, Background or Foreground: what becomes of dependents"),
  RESOURCE_VERSION("resourceVersion", "string", "the version to read at or to watch from"),
  RESOURCE_VERSION_MATCH(
      "resourceVersionMatch", "string", "Exact or NotOlderThan: how resourceVersion is meant"),
  SEND_INITIAL_EVENTS("sendInitialEvents", "boolean", "begin a watch with what there is"),
  TIMEOUT_SECONDS("timeoutSeconds", "integer", "how long a list or watch may take"),
  WATCH("watch", "boolean", "go on with the changes as they come");

  static final List<Parameter> OF_LIST =
      List.of(
          ALLOW_WATCH_BOOKMARKS,
          CONTINUE,
          FIELD_SELECTOR,
          LABEL_SELECTOR,
          LIMIT,
          RESOURCE_VERSION,
          RESOURCE_VERSION_MATCH,
          SEND_INITIAL_EVENTS,
          TIMEOUT_SECONDS,
          WATCH);

  static final List<Parameter> OF_WRITE = List.of(DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION);

  static final List<Parameter> OF_PATCH = List.of(DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION, FORCE);

  static final List<Parameter> OF_DELETE =
      List.of(
          DRY_RUN,
          GRACE_PERIOD_SECONDS,
          IGNORE_STORE_READ_ERROR,
          ORPHAN_DEPENDENTS,
          PROPAGATION_POLICY);

  static final List<Parameter> OF_DELETE_COLLECTION =
      List.of(
          CONTINUE,
          DRY_RUN,
          FIELD_SELECTOR,
          GRACE_PERIOD_SECONDS,
          IGNORE_STORE_READ_ERROR,
          LABEL_SELECTOR,
          LIMIT,
          ORPHAN_DEPENDENTS,
          PROPAGATION_POLICY,
          RESOURCE_VERSION,
          RESOURCE_VERSION_MATCH,
          SEND_INITIAL_EVENTS,
          TIMEOUT_SECONDS);

  private final String word;
  private final String type;
  private final String description;

  Parameter(String word, String type, String description) {
    this.word = word;
    this.type = type;
    this.description = description;
  }

  String word() {
    return word;
  }

  String type() {
    return type;
  }

  String description() {
    return description;
  }

  boolean inPath() {
    return this == NAME || this == NAMESPACE;
  }
}

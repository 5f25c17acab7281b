package dev.evenkeel.serve.call;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import dev.evenkeel.serve.present.ListStream;
import dev.evenkeel.serve.present.Presentation;
import dev.evenkeel.serve.request.Accept;
import dev.evenkeel.serve.request.Query;
import dev.evenkeel.serve.request.Target;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request on its way: what it asks for and what its answer must carry. Owned by the request, used
 * by one thread at a time.
 */
public final class Call {

  /** How a delete is to be done may stand in its body. */
  public static final Gvk DELETE_OPTIONS = Gvk.of("v1", "DeleteOptions");

  private static final Set<String> WRITES = Set.of("create", "update", "patch");
  private static final int FIELD_MANAGER_BYTES_MAX = 128;

  private static final int WARNINGS_MAX = 20;
  private static final int WARNING_CHARS_MAX = 500;
  private static final int ANNOTATIONS_MAX = 1_000;

  private final ApiRequest request;
  private final Target.Resource target;
  private final Query query;
  private final Accept accept;
  private final Caller caller;
  private final Remarks remarks;
  private boolean hasEmptyLists;

  /** What is said beside the answer, by all parts of a call, which may run beside each other. */
  private static final class Remarks {
    private final List<String> warnings = new ArrayList<>(0);
    private final Map<String, String> annotations = new LinkedHashMap<>(0);

    synchronized void warn(String text) {
      if (warnings.size() < WARNINGS_MAX && !warnings.contains(text)) {
        warnings.add(text);
      }
    }

    synchronized void annotate(String key, String value) {
      if (annotations.size() < ANNOTATIONS_MAX) {
        annotations.putIfAbsent(key, value);
      }
    }

    synchronized List<String> warnings() {
      return List.copyOf(warnings);
    }

    synchronized Map<String, String> annotations() {
      return new LinkedHashMap<>(annotations);
    }
  }

  public Call(
      ApiRequest request, Target.Resource target, Query query, Accept accept, Caller caller) {
    this(request, target, query, accept, caller, new Remarks());
  }

  private Call(
      ApiRequest request,
      Target.Resource target,
      Query query,
      Accept accept,
      Caller caller,
      Remarks remarks) {
    this.request = request;
    this.target = target;
    this.query = query;
    this.accept = accept;
    this.caller = caller;
    this.remarks = remarks;
  }

  /** The same call for the object of another name; what is said about it is said to the caller. */
  public Call named(String name) {
    return on(
        new Target.Resource(
            target.group(),
            target.version(),
            target.plural(),
            target.namespace(),
            name,
            target.subresource(),
            target.watch()));
  }

  /** The same call for something else that it brings about. */
  public Call on(Target.Resource other) {
    return new Call(request, other, query, accept, caller, remarks);
  }

  public ApiRequest request() {
    return request;
  }

  public Target.Resource target() {
    return target;
  }

  public Query query() {
    return query;
  }

  public Accept accept() {
    return accept;
  }

  public Caller caller() {
    return caller;
  }

  /** Whether nothing is to be written. */
  public boolean dryRun() {
    return !query.all("dryRun").isEmpty();
  }

  /** Refuses options that mean nothing, before anything is looked at. */
  public void checkOptions(String verb) {
    if (!WRITES.contains(verb)) {
      if (verb.startsWith("delete")) {
        checkDryRun("DeleteOptions", query.all("dryRun"));
      }
      return;
    }
    List<FieldError> errors = new ArrayList<>(0);
    if (verb.equals("patch") && isApply()) {
      if (query.text("fieldManager").isEmpty()) {
        errors.add(
            new FieldError(
                FieldError.Reason.REQUIRED,
                "fieldManager",
                "Required value: is required for apply patch"));
      }
    } else if (verb.equals("patch") && query.has("force")) {
      errors.add(
          new FieldError(
              FieldError.Reason.FORBIDDEN,
              "force",
              "Forbidden: may not be specified for non-apply patch"));
    }
    checkFieldManager(errors);
    checkDryRun(query.all("dryRun"), errors);
    checkFieldValidation(errors);
    refuse(Character.toUpperCase(verb.charAt(0)) + verb.substring(1) + "Options", errors);
  }

  private static void refuse(String kind, List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw Status.invalid("meta.k8s.io", kind, "", errors).asException();
    }
  }

  private void checkFieldManager(List<FieldError> errors) {
    String manager = query.text("fieldManager");
    if (manager.length() <= FIELD_MANAGER_BYTES_MAX && isPlain(manager)) {
      return;
    }
    if (manager.getBytes(StandardCharsets.UTF_8).length > FIELD_MANAGER_BYTES_MAX) {
      errors.add(
          new FieldError(
              FieldError.Reason.TOO_LONG,
              "fieldManager",
              "Too long: may not be more than " + FIELD_MANAGER_BYTES_MAX + " bytes"));
    }
    int position = 0;
    for (int c : manager.codePoints().limit(FIELD_MANAGER_BYTES_MAX).toArray()) {
      if (!GoText.isPrintable(c)) {
        errors.add(
            new FieldError(
                FieldError.Reason.INVALID,
                "fieldManager",
                "Invalid value: %s: invalid character U+%04X (at position %d)"
                    .formatted(GoText.quoted(manager), c, position)));
      }
      position += Character.toString(c).getBytes(StandardCharsets.UTF_8).length;
    }
  }

  private static void checkDryRun(List<String> values, List<FieldError> errors) {
    for (String value : values) {
      if (!value.equals("All")) {
        String all = String.join(",", values.stream().map(GoText::quoted).toList());
        errors.add(
            new FieldError(
                FieldError.Reason.NOT_SUPPORTED,
                "dryRun",
                "Unsupported value: [" + all + "]: supported values: \"All\""));
        return;
      }
    }
  }

  /** Refuses a dry run that nobody knows; false if there is none. */
  public static boolean checkDryRun(String kind, List<String> values) {
    List<FieldError> errors = new ArrayList<>(0);
    checkDryRun(values, errors);
    refuse(kind, errors);
    return !values.isEmpty();
  }

  private void checkFieldValidation(List<FieldError> errors) {
    String value = query.text("fieldValidation");
    switch (value) {
      case "", "Warn", "Ignore", "Strict" -> {}
      default ->
          errors.add(
              new FieldError(
                  FieldError.Reason.NOT_SUPPORTED,
                  "fieldValidation",
                  "Unsupported value: "
                      + GoText.quoted(value)
                      + ": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\""));
    }
  }

  /** Whether a patch is a configuration to apply. */
  public boolean isApply() {
    return contentType().equals(Configuration.MEDIA_TYPE);
  }

  /** Who is to own what is written; what the client calls itself if it does not say. */
  public String fieldManager() {
    String given = query.text("fieldManager");
    if (!given.isEmpty()) {
      return given;
    }
    String agent = request.header("user-agent");
    return agent == null ? "" : managerOf(agent);
  }

  private static String managerOf(String agent) {
    int slash = agent.indexOf('/');
    String word = slash < 0 ? agent : agent.substring(0, slash);
    if (word.length() <= FIELD_MANAGER_BYTES_MAX / 3 && isPlain(word)) {
      return word;
    }
    var printable = new StringBuilder();
    int bytes = 0;
    for (int c : word.codePoints().filter(GoText::isPrintable).toArray()) {
      bytes += Character.toString(c).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > FIELD_MANAGER_BYTES_MAX) {
        break;
      }
      printable.appendCodePoint(c);
    }
    return printable.toString();
  }

  /**
   * Whether it is of printable ASCII alone. Not a stream: every write asks, of a few characters.
   */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) >= 0x7f) {
        return false;
      }
    }
    return true;
  }

  /** What to do about fields that are unknown or come twice. */
  public enum FieldValidation {
    IGNORE,
    WARN,
    STRICT
  }

  public FieldValidation fieldValidation() {
    return switch (query.text("fieldValidation")) {
      case "Ignore" -> FieldValidation.IGNORE;
      case "Strict" -> FieldValidation.STRICT;
      default -> FieldValidation.WARN;
    };
  }

  /** The media type of the body, without parameters. */
  String contentType() {
    String header = request.header("content-type");
    if (header == null) {
      return "";
    }
    int end = header.indexOf(';');
    return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  /** How a body of text is written; a body that we do not read is the client's error. */
  Json.Format bodyFormat() {
    return switch (contentType()) {
      case "", "application/json" -> Json.Format.JSON;
      case "application/yaml", "text/yaml", "application/x-yaml" -> Json.Format.YAML;
      default ->
          throw Status.unsupportedMediaType(
                  List.of("application/json", "application/yaml", WireCodec.MEDIA_TYPE))
              .asException();
    };
  }

  /** Notes that the body has empty lists that are to go once it is known who owns them. */
  void noteEmptyLists() {
    hasEmptyLists = true;
  }

  public boolean hasEmptyLists() {
    return hasEmptyLists;
  }

  public void warn(String text) {
    remarks.warn(text);
  }

  public boolean hasWarnings() {
    return !remarks.warnings().isEmpty();
  }

  /** The answer with what there is to warn of. */
  public ApiResponse with(ApiResponse answer) {
    return new ApiResponse(
        answer.status(),
        headers(answer.headers().toArray(ApiResponse.Header[]::new)),
        answer.content());
  }

  /** Says something to whoever reads the audit log; what was said under a key first stays. */
  public void annotate(String key, String value) {
    remarks.annotate(key, value);
  }

  public Map<String, String> annotations() {
    return remarks.annotations();
  }

  /** How a write is to be done, as the API writes it. */
  public ObjectNode options(Operation operation) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    String kind =
        switch (operation) {
          case CREATE -> "CreateOptions";
          case UPDATE -> request.method().equals("PATCH") ? "PatchOptions" : "UpdateOptions";
          case DELETE -> "DeleteOptions";
          case CONNECT -> "ConnectOptions";
        };
    options.put("apiVersion", "meta.k8s.io/v1").put("kind", kind);
    if (dryRun()) {
      options.putArray("dryRun").add("All");
    }
    for (String name : List.of("fieldManager", "fieldValidation", "propagationPolicy")) {
      if (!query.text(name).isEmpty()) {
        options.put(name, query.text(name));
      }
    }
    if (query.has("gracePeriodSeconds")) {
      options.put("gracePeriodSeconds", query.number("gracePeriodSeconds", 0));
    }
    if (isApply()) {
      options.put("force", query.flag("force"));
    }
    if (operation == Operation.DELETE && request.method().equals("DELETE")) {
      Decoding.optional(this, DELETE_OPTIONS).forEachEntry(options::set);
    }
    return options;
  }

  /** The headers that every answer to this call carries, and those given. */
  public List<ApiResponse.Header> headers(ApiResponse.@Nullable Header... more) {
    List<String> warnings = remarks.warnings();
    List<ApiResponse.Header> headers = new ArrayList<>(2 + warnings.size());
    for (ApiResponse.Header header : more) {
      if (header != null) {
        headers.add(header);
      }
    }
    for (String warning : warnings) {
      headers.add(new ApiResponse.Header("Warning", "299 - \"" + quoted(warning) + "\""));
    }
    return headers;
  }

  private static String quoted(String text) {
    String cut =
        text.length() <= WARNING_CHARS_MAX ? text : text.substring(0, WARNING_CHARS_MAX) + "...";
    var safe = new StringBuilder(cut.length() + 8);
    for (int i = 0; i < cut.length(); i++) {
      char c = cut.charAt(i);
      if (c == '"' || c == '\\') {
        safe.append('\\').append(c);
      } else {
        safe.append(c < ' ' || c > '~' ? '?' : c);
      }
    }
    return safe.toString();
  }

  /** An answer that was made by a presentation. */
  public ApiResponse answer(int status, Presentation presentation, byte[] body) {
    return presentation.isJson()
        ? answer(status, body)
        : new ApiResponse(
            status,
            headers(new ApiResponse.Header("Content-Type", WireCodec.MEDIA_TYPE)),
            new ApiResponse.Whole(body));
  }

  /** An answer that is a list, written as it is read. */
  public ApiResponse answer(Presentation presentation, ListStream stream) {
    if (presentation.isJson() && accept.format() == Json.Format.YAML) {
      return answer(200, stream.collect());
    }
    String type = presentation.isJson() ? "application/json" : WireCodec.MEDIA_TYPE;
    return new ApiResponse(
        200,
        headers(new ApiResponse.Header("Content-Type", type)),
        new ApiResponse.Streamed(stream, ApiResponse.Kind.BODY));
  }

  /** An answer that is one JSON value, in the format that was asked for. */
  public ApiResponse answer(int status, byte[] json) {
    byte[] body =
        accept.format() == Json.Format.JSON ? json : Json.encode(Json.parse(json), accept.format());
    return new ApiResponse(
        status,
        headers(new ApiResponse.Header("Content-Type", accept.contentType())),
        new ApiResponse.Whole(body));
  }
}

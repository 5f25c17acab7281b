package dev.evenkeel.serve.rights;

import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.PlainAnswer;
import dev.evenkeel.serve.caller.Authentication;
import dev.evenkeel.serve.caller.Caller;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Somebody else that a caller wants to act as, in the headers {@code Impersonate-User}, {@code
 * -Group}, {@code -Uid} and {@code -Extra-…}.
 *
 * @param user never empty
 * @param groups those that were named
 * @param uid empty for none
 */
public record Impersonation(
    String user, List<String> groups, String uid, SortedMap<String, List<String>> extra) {

  private static final String EXTRA = "impersonate-extra-";
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String ACCOUNT = "system:serviceaccount:";
  private static final String ANONYMOUS = "system:anonymous";
  private static final String UNAUTHENTICATED = "system:unauthenticated";

  /** What the headers ask for, null if they ask for nothing. */
  public static @Nullable Impersonation of(ApiRequest request) {
    var extras = new Extras();
    request.headers().forEach(extras);
    SortedMap<String, List<String>> extra = extras.found;
    String user = first(request.headers().get("impersonate-user"));
    List<String> groups = lines(request.headers().get("impersonate-group"));
    String uid = first(request.headers().get("impersonate-uid"));
    if (!user.isEmpty()) {
      return new Impersonation(user, groups, uid, extra);
    }
    if (groups.isEmpty() && uid.isEmpty() && extra.isEmpty()) {
      return null;
    }
    throw new PlainAnswer(
        500,
        "Internal Server Error: \""
            + request.path()
            + (request.query().isEmpty() ? "" : "?" + request.query())
            + "\": requested "
            + references(groups, uid, extra)
            + " without impersonating a user\n");
  }

  /** Looks through all headers of every request, so it makes nothing until it finds something. */
  private static final class Extras implements BiConsumer<String, String> {
    private SortedMap<String, List<String>> found = Collections.emptySortedMap();

    @Override
    public void accept(String name, String value) {
      if (name.regionMatches(true, 0, EXTRA, 0, EXTRA.length())) {
        if (found.isEmpty()) {
          found = new TreeMap<>();
        }
        String key = unescaped(name.substring(EXTRA.length()).toLowerCase(Locale.ROOT));
        found.computeIfAbsent(key, _ -> new ArrayList<>()).addAll(lines(value));
      }
    }
  }

  /** A key may hold what a header's name cannot, written with percent signs. */
  private static String unescaped(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return key; // as it is, then: upstream does the same
    }
  }

  private static List<String> lines(@Nullable String values) {
    return values == null ? List.of() : List.of(values.split("\n", -1));
  }

  private static String first(@Nullable String values) {
    return values == null ? "" : lines(values).getFirst();
  }

  /**
   * As upstream prints what was asked for: references with all their fields, most of them empty.
   */
  private static String references(
      List<String> groups, String uid, SortedMap<String, List<String>> extra) {
    List<String> references = new ArrayList<>();
    groups.forEach(group -> references.add("{Group  " + group + "    }"));
    extra.forEach(
        (key, values) ->
            values.forEach(
                value ->
                    references.add(
                        "{UserExtra  " + value + "  authentication.k8s.io/v1  " + key + "}")));
    if (!uid.isEmpty()) {
      references.add("{UID  " + uid + "  authentication.k8s.io/v1  }");
    }
    return "[" + String.join(" ", references) + "]";
  }

  /** All that whoever asks must be allowed: one wish for each name, group and more. */
  List<Attributes> asked(Caller caller) {
    List<Attributes> asked = new ArrayList<>();
    asked.add(
        isAccount()
            ? wish(caller, "", "serviceaccounts", "", namespace(), accountName())
            : wish(caller, "", "users", "", "", user));
    groups.forEach(group -> asked.add(wish(caller, "", "groups", "", "", group)));
    extra.forEach(
        (key, values) ->
            values.forEach(
                value -> asked.add(wish(caller, AUTHENTICATION, "userextras", key, "", value))));
    if (!uid.isEmpty()) {
      asked.add(wish(caller, AUTHENTICATION, "uids", "", "", uid));
    }
    return asked;
  }

  private static Attributes wish(
      Caller caller,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {
    return Attributes.ofResource(
        caller, "impersonate", group, resource, subresource, namespace, name);
  }

  private String accountName() {
    return user.substring(user.lastIndexOf(':') + 1);
  }

  private String namespace() {
    return isAccount() ? user.substring(ACCOUNT.length(), user.lastIndexOf(':')) : "";
  }

  private boolean isAccount() {
    return user.startsWith(ACCOUNT) && user.split(":", -1).length == 4 && !user.endsWith(":");
  }

  /** Groups that were named count as they are; of a service account they are known otherwise. */
  Caller caller() {
    List<String> all = new ArrayList<>(groups);
    if (all.isEmpty() && isAccount()) {
      all.add("system:serviceaccounts");
      all.add("system:serviceaccounts:" + namespace());
    }
    boolean anonymous = user.equals(ANONYMOUS);
    if (anonymous && !all.contains(UNAUTHENTICATED)) {
      all.add(UNAUTHENTICATED);
    } else if (!anonymous
        && !all.contains(UNAUTHENTICATED)
        && !all.contains(Authentication.AUTHENTICATED)) {
      all.add(Authentication.AUTHENTICATED);
    }
    return new Caller(user, all, uid, extra);
  }
}

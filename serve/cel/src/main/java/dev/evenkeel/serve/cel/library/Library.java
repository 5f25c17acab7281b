package dev.evenkeel.serve.cel.library;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.evenkeel.serve.cel.function.Implementation;
import dev.evenkeel.serve.cel.function.Signatures;
import dev.evenkeel.serve.cel.value.EvaluationError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A set of functions: what the checker must know of it, what it does and what it costs. */
public final class Library {

  private static final Library KUBERNETES = new Library();
  private static final Library AUTHORIZATION = new Library();
  private static final Library PATCHES = new Library();

  static {
    Authorization.addTo(AUTHORIZATION);
    Patches.addTo(PATCHES);
    Operators.addTo(KUBERNETES);
    Conversions.addTo(KUBERNETES);
    Calendar.addTo(KUBERNETES);
    Strings.addTo(KUBERNETES);
    Regex.addTo(KUBERNETES);
    Lists.addTo(KUBERNETES);
    Optionals.addTo(KUBERNETES);
    Urls.addTo(KUBERNETES);
    Addresses.addTo(KUBERNETES);
    Quantities.addTo(KUBERNETES);
    Semvers.addTo(KUBERNETES);
    Formats.addTo(KUBERNETES);
  }

  private final Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
  private final Map<String, Implementation> implementations = new HashMap<>();

  private Library() {}

  /** What Kubernetes 1.34 has for all expressions. */
  public static Library kubernetes() {
    return KUBERNETES;
  }

  /** What those have beside it that can ask who may do what. */
  public static Library authorization() {
    return AUTHORIZATION;
  }

  /** What those have beside it that change objects. */
  public static Library patches() {
    return PATCHES;
  }

  /** What a call does that was checked, whichever library it is from; null if there is no such. */
  public static @Nullable Implementation implementation(String function, List<String> overloadIds) {
    for (Library library : List.of(KUBERNETES, AUTHORIZATION, PATCHES)) {
      Implementation found = library.find(function, overloadIds);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  Library declare(String id, String signature) {
    Signatures.Signature parsed = Signatures.of(id, signature);
    overloads.computeIfAbsent(parsed.name(), name -> new ArrayList<>()).add(parsed.overload());
    return this;
  }

  /**
   * @param name of a function, or of an overload that does something else than the others
   */
  Library define(String name, Implementation implementation) {
    if (implementations.put(name, implementation) != null) {
      throw new IllegalStateException(name + " is defined twice");
    }
    return this;
  }

  /** What the checker must know beyond the language's own functions. */
  public List<CelFunctionDecl> declarations() {
    return overloads.entrySet().stream()
        .map(entry -> CelFunctionDecl.newFunctionDeclaration(entry.getKey(), entry.getValue()))
        .toList();
  }

  private @Nullable Implementation find(String function, List<String> overloadIds) {
    if (overloadIds.size() == 1) {
      Implementation special = implementations.get(overloadIds.getFirst());
      if (special != null) {
        return special;
      }
    }
    return implementations.get(function);
  }

  static String string(Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw EvaluationError.noSuchOverload();
  }

  static long integer(Object value) {
    if (value instanceof Long number) {
      return number;
    }
    throw EvaluationError.noSuchOverload();
  }

  /** An argument of a type that has no other. */
  static <T> T of(Class<T> type, Object value) {
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    throw EvaluationError.noSuchOverload();
  }
}

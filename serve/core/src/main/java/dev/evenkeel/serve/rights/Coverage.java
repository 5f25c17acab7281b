package dev.evenkeel.serve.rights;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether some rules allow all that others do, and what they lack. */
public final class Coverage {

  private Coverage() {}

  /** What is allowed by the wanted rules and by none of those held, in the smallest pieces. */
  public static List<Rule> missing(List<Rule> held, List<Rule> wanted) {
    List<Rule> missing = new ArrayList<>();
    for (Rule rule : wanted) {
      for (Rule atom : atoms(rule)) {
        if (held.stream().noneMatch(one -> one.covers(atom))) {
          missing.add(atom);
        }
      }
    }
    return missing;
  }

  /** A rule taken apart: each piece has one verb on one thing, so one rule covers it or none. */
  private static List<Rule> atoms(Rule rule) {
    List<Rule> atoms = new ArrayList<>();
    for (String group : rule.groups()) {
      for (String resource : rule.resources()) {
        for (String verb : rule.verbs()) {
          if (rule.names().isEmpty()) {
            atoms.add(atom(verb, group, resource, List.of()));
          }
          for (String name : rule.names()) {
            atoms.add(atom(verb, group, resource, List.of(name)));
          }
        }
      }
    }
    for (String path : rule.paths()) {
      for (String verb : rule.verbs()) {
        atoms.add(new Rule(List.of(verb), List.of(), List.of(), List.of(), List.of(path)));
      }
    }
    return atoms;
  }

  private static Rule atom(String verb, String group, String resource, List<String> names) {
    return new Rule(List.of(verb), List.of(group), List.of(resource), names, List.of());
  }

  /** Pieces that differ in their verbs alone as one, and all of them in the order of their text. */
  static List<String> described(List<Rule> atoms) {
    Map<Rule, List<String>> verbs = new LinkedHashMap<>();
    List<String> texts = new ArrayList<>();
    for (Rule atom : atoms) {
      if (atom.paths().isEmpty()) {
        verbs.computeIfAbsent(with(atom, List.of()), _ -> new ArrayList<>()).addAll(atom.verbs());
      } else {
        texts.add(atom.toString());
      }
    }
    verbs.forEach((thing, all) -> texts.add(with(thing, all).toString()));
    return texts.stream().distinct().sorted().toList();
  }

  private static Rule with(Rule rule, List<String> verbs) {
    return new Rule(verbs, rule.groups(), rule.resources(), rule.names(), rule.paths());
  }
}

package dev.evenkeel.serve.rights;

import dev.evenkeel.kernel.json.GoText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What somebody may do that comes nearest to what they may not: in this namespace something else,
 * or the same elsewhere. It rests on what they hold themselves, so it tells them nothing that they
 * could not find out by asking what they may.
 */
final class NearestMiss {

  /** More names of one sort say no more than these and that there are more. */
  private static final int NAMES_MAX = 3;

  /** In so many namespaces it is looked for: whoever holds roles in more is told of these. */
  private static final int NAMESPACES_MAX = 1_000;

  private static final int SENTENCES_MAX = 2;

  private NearestMiss() {}

  /** In a sentence or two; empty if nothing comes near. */
  static String of(Holdings holdings, Attributes wanted) {
    List<Rule> here = holdings.rules(wanted.namespace());
    List<String> sentences = new ArrayList<>();
    if (wanted.path() != null) {
      String path = wanted.path();
      add(sentences, verbs(here, wanted, rule -> rule.hasPath(path)));
    } else {
      add(sentences, names(here, wanted));
      add(sentences, verbs(here, wanted, rule -> isOnResource(rule, wanted)));
      add(sentences, namespaces(holdings, wanted));
      if (sentences.isEmpty()) {
        add(sentences, subresources(here, wanted));
        add(sentences, groups(here, wanted));
      }
    }
    return String.join("; ", sentences.subList(0, Math.min(SENTENCES_MAX, sentences.size())));
  }

  private static void add(List<String> sentences, String sentence) {
    if (!sentence.isEmpty()) {
      sentences.add(sentence);
    }
  }

  private static boolean isOnResource(Rule rule, Attributes wanted) {
    return rule.hasGroup(wanted.group())
        && rule.hasResource(wanted.resourcePath(), wanted.subresource())
        && rule.hasName(wanted.name());
  }

  private static String names(List<Rule> here, Attributes wanted) {
    Set<String> names = new TreeSet<>();
    for (Rule rule : here) {
      if (rule.hasVerb(wanted.verb())
          && rule.hasGroup(wanted.group())
          && rule.hasResource(wanted.resourcePath(), wanted.subresource())) {
        names.addAll(rule.names());
      }
    }
    return names.isEmpty() ? "" : "may " + wanted.verb() + " only " + some(names);
  }

  private static String verbs(List<Rule> here, Attributes wanted, Predicate<Rule> isOnIt) {
    Set<String> verbs = new LinkedHashSet<>();
    here.stream().filter(isOnIt).forEach(rule -> verbs.addAll(rule.verbs()));
    return verbs.isEmpty() || verbs.contains(wanted.verb())
        ? ""
        : "may " + joined(verbs) + ", not " + wanted.verb();
  }

  private static String namespaces(Holdings holdings, Attributes wanted) {
    Set<String> namespaces = new LinkedHashSet<>();
    int looked = 0;
    for (Map.Entry<String, List<Holdings.Held>> there : holdings.byNamespace().entrySet()) {
      if (namespaces.size() > NAMES_MAX || ++looked > NAMESPACES_MAX) {
        break;
      }
      if (allows(there.getValue(), wanted)) {
        namespaces.add(there.getKey());
      }
    }
    if (namespaces.isEmpty()) {
      return "";
    }
    return "bound, but only in "
        + (namespaces.size() == 1 ? "namespace " : "namespaces ")
        + some(namespaces);
  }

  private static boolean allows(List<Holdings.Held> all, Attributes wanted) {
    String resource = wanted.resourcePath();
    return all.stream()
        .anyMatch(held -> held.rules().stream().anyMatch(rule -> rule.allows(wanted, resource)));
  }

  private static String subresources(List<Rule> here, Attributes wanted) {
    String parts = wanted.resource() + "/";
    Set<String> others = new TreeSet<>();
    for (Rule rule : here) {
      if (rule.hasVerb(wanted.verb())
          && rule.hasGroup(wanted.group())
          && rule.hasName(wanted.name())) {
        rule.resources().stream()
            .filter(one -> one.equals(wanted.resource()) || one.startsWith(parts))
            .forEach(others::add);
      }
    }
    return others.isEmpty()
        ? ""
        : "may "
            + wanted.verb()
            + " "
            + some(others)
            + ", not "
            + GoText.quoted(wanted.resourcePath());
  }

  private static String groups(List<Rule> here, Attributes wanted) {
    Set<String> groups = new TreeSet<>();
    for (Rule rule : here) {
      if (rule.hasVerb(wanted.verb())
          && rule.resources().contains(wanted.resourcePath())
          && rule.hasName(wanted.name())) {
        groups.addAll(rule.groups());
      }
    }
    return groups.isEmpty()
        ? ""
        : "may "
            + wanted.verb()
            + " them in API group "
            + some(groups)
            + ", not in "
            + GoText.quoted(wanted.group());
  }

  private static String some(Collection<String> names) {
    List<String> first = names.stream().limit(NAMES_MAX).map(GoText::quoted).toList();
    return names.size() > NAMES_MAX ? String.join(", ", first) + " and more" : joined(first);
  }

  private static String joined(Collection<String> words) {
    List<String> all = List.copyOf(words);
    int last = all.size() - 1;
    return last < 1
        ? String.join("", all)
        : String.join(", ", all.subList(0, last)) + " and " + all.get(last);
  }
}

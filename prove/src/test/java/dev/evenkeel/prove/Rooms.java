package dev.evenkeel.prove;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Packages as rooms: how many types one holds, and which of the server's look into which. */
final class Rooms {

  /** CONTRIBUTING.md wants about 15: those with more are not split for the sake of a number. */
  static final int TYPES_MAX = 20;

  static final ArchRule SIZE = classes().should(new BeFew());

  private static final String SERVE = "dev.evenkeel.serve";

  /** All that is no room: parts such as the cache and the quotas, which rooms are built on. */
  private static final String PARTS = "parts";

  /** The rooms of the server from the top, each with those that it looks into. */
  private static final Map<String, List<String>> LOOKS_INTO = new LinkedHashMap<>();

  static {
    LOOKS_INTO.put(
        "registry",
        List.of(
            "resident",
            "pod",
            "write",
            "read",
            "ownership",
            "object",
            "call",
            "rights",
            "token",
            "caller",
            "resource"));
    LOOKS_INTO.put("resident", List.of("write", "ownership", "rights", "resource"));
    LOOKS_INTO.put("pod", List.of("write", "read", "object", "call", "resource"));
    LOOKS_INTO.put(
        "write", List.of("read", "ownership", "object", "call", "rights", "caller", "resource"));
    LOOKS_INTO.put("read", List.of("call", "resource"));
    LOOKS_INTO.put("ownership", List.of("object", "call", "resource"));
    LOOKS_INTO.put("object", List.of("call"));
    LOOKS_INTO.put("call", List.of("caller"));
    LOOKS_INTO.put("rights", List.of("caller", "resource"));
    LOOKS_INTO.put("token", List.of("caller", "resource"));
    LOOKS_INTO.put("caller", List.of());
    LOOKS_INTO.put("resource", List.of());
  }

  /** Of the server itself, which looks into all, nobody knows. */
  static final ArchRule SERVE_DIRECTION = serveDirection();

  private Rooms() {}

  private static ArchRule serveDirection() {
    String[] rooms = LOOKS_INTO.keySet().stream().map(Rooms::packages).toArray(String[]::new);
    LayeredArchitecture layers =
        layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(SERVE + "..")
            .withOptionalLayers(true)
            .layer("server")
            .definedBy(SERVE)
            .layer(PARTS)
            .definedBy(resideInAPackage(SERVE + ".*..").and(not(resideInAnyPackage(rooms))));
    for (String room : LOOKS_INTO.keySet()) {
      layers = layers.layer(room).definedBy(packages(room));
    }
    layers =
        layers
            .whereLayer("server")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer(PARTS)
            .mayOnlyAccessLayers("resource");
    for (Map.Entry<String, List<String>> room : LOOKS_INTO.entrySet()) {
      layers = layers.whereLayer(room.getKey()).mayOnlyAccessLayers(withParts(room.getValue()));
    }
    return layers;
  }

  private static String packages(String room) {
    return SERVE + "." + room + "..";
  }

  private static String[] withParts(List<String> rooms) {
    String[] all = rooms.toArray(new String[rooms.size() + 1]);
    all[rooms.size()] = PARTS;
    return all;
  }

  /** Counts what has a file of its own: a nested type belongs to the one around it. */
  private static final class BeFew extends ArchCondition<JavaClass> {

    private final Map<String, Integer> types = new TreeMap<>();

    BeFew() {
      super("be at most %d of a package, without those nested in others", TYPES_MAX);
    }

    @Override
    public void init(Collection<JavaClass> all) {
      types.clear();
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
      if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
        types.merge(type.getPackageName(), 1, Integer::sum);
      }
    }

    @Override
    public void finish(ConditionEvents events) {
      types.forEach(
          (name, count) ->
              events.add(
                  new SimpleConditionEvent(
                      name, count <= TYPES_MAX, "%s holds %d types".formatted(name, count))));
    }
  }
}

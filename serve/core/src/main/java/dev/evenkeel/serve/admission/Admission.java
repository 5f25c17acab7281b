package dev.evenkeel.serve.admission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plugins, in the order they are asked, by the writes they are about.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class Admission {

  /**
   * Those who are about one kind of write.
   *
   * @param reads what they read, all together
   * @param meter is told how they are asked
   */
  public record Plan(
      List<AdmissionPlugin> mutating,
      List<AdmissionPlugin> validating,
      Set<Resource> reads,
      AdmissionMeter meter) {

    /** For writes that nobody is about. */
    public static final Plan NOTHING =
        new Plan(List.of(), List.of(), Set.of(), AdmissionMeter.NONE);

    public Plan {
      mutating = List.copyOf(mutating);
      validating = List.copyOf(validating);
      reads = Set.copyOf(reads);
    }

    /** Whether one of them may take long. */
    public boolean mayTakeLong() {
      return mutating.stream().anyMatch(AdmissionPlugin::mayTakeLong)
          || validating.stream().anyMatch(AdmissionPlugin::mayTakeLong);
    }

    public void mutate(AdmissionRequest request) {
      for (AdmissionPlugin plugin : mutating) {
        meter.measure(
            plugin.name(),
            AdmissionMeter.Step.MUTATE,
            request.operation(),
            () -> plugin.mutate(request));
      }
    }

    /** Asks those who change, and may refuse, about a write that nobody can change. */
    public void mayRefuse(AdmissionRequest request) {
      for (AdmissionPlugin plugin : mutating) {
        if (plugin.refusesWhenChanging()) {
          meter.measure(
              plugin.name(),
              AdmissionMeter.Step.MUTATE,
              request.operation(),
              () -> plugin.mutate(request));
        }
      }
    }

    public void validate(AdmissionRequest request) {
      for (AdmissionPlugin plugin : validating) {
        meter.measure(
            plugin.name(),
            AdmissionMeter.Step.VALIDATE,
            request.operation(),
            () -> plugin.validate(request));
      }
    }
  }

  private record Write(Resource resource, String subresource, Operation operation) {}

  private final Map<Write, Plan> plans;

  /** For writes that none of them is about; policies may be. */
  private final Plan nobody;

  public Admission(List<AdmissionPlugin> plugins, AdmissionMeter meter) {
    this.nobody = new Plan(List.of(), List.of(), Set.of(), meter);
    Map<Write, List<AdmissionPlugin>> mutating = new HashMap<>();
    Map<Write, List<AdmissionPlugin>> validating = new HashMap<>();
    for (AdmissionPlugin plugin : plugins) {
      enter(plugin, plugin.mutates(), mutating);
      enter(plugin, plugin.validates(), validating);
    }
    Set<Write> writes = new LinkedHashSet<>(mutating.keySet());
    writes.addAll(validating.keySet());
    Map<Write, Plan> made = new HashMap<>();
    for (Write write : writes) {
      List<AdmissionPlugin> changing = mutating.getOrDefault(write, List.of());
      List<AdmissionPlugin> judging = validating.getOrDefault(write, List.of());
      Set<Resource> reads = new LinkedHashSet<>();
      changing.forEach(plugin -> reads.addAll(plugin.reads()));
      judging.forEach(plugin -> reads.addAll(plugin.reads()));
      made.put(write, new Plan(changing, judging, reads, meter));
    }
    this.plans = Map.copyOf(made);
  }

  private static void enter(
      AdmissionPlugin plugin, List<Interest> interests, Map<Write, List<AdmissionPlugin>> plans) {
    for (Interest interest : interests) {
      for (Operation operation : interest.operations()) {
        List<AdmissionPlugin> plan =
            plans.computeIfAbsent(
                new Write(interest.resource(), interest.subresource(), operation),
                _ -> new ArrayList<>());
        if (!plan.contains(plugin)) {
          plan.add(plugin);
        }
      }
    }
  }

  /** Who is about such a write. */
  public Plan of(Resource resource, String subresource, Operation operation) {
    return plans.getOrDefault(new Write(resource, subresource, operation), nobody);
  }
}

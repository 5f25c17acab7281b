package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import java.util.List;

/** The plugins that are always on. */
public final class BuiltInPlugins {

  private BuiltInPlugins() {}

  /**
   * In upstream's order.
   *
   * @param clock bounds what takes long
   */
  public static List<AdmissionPlugin> all(Clock clock) {
    return List.of(
        new LimitRanger(),
        new ServiceAccounts(),
        new NotReadyTaint(),
        new PodSecurity(),
        new PodSecurityLabels(clock),
        new Priority(),
        new DefaultTolerationSeconds(),
        new DefaultStorageClass(),
        new StorageProtection(),
        new RuntimeClasses());
  }
}

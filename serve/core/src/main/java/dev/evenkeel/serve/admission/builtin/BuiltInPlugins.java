package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.serve.admission.AdmissionPlugin;
import java.util.List;

/** The plugins that are always on. */
public final class BuiltInPlugins {

  private BuiltInPlugins() {}

  /** In upstream's order. */
  public static List<AdmissionPlugin> all() {
    return List.of(
        new LimitRanger(),
        new ServiceAccounts(),
        new NotReadyTaint(),
        new Priority(),
        new DefaultTolerationSeconds(),
        new DefaultStorageClass(),
        new StorageProtection(),
        new RuntimeClasses());
  }
}

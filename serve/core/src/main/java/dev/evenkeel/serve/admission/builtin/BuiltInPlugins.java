package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.serve.admission.AdmissionPlugin;
import java.util.List;
import java.util.function.UnaryOperator;

/** The plugins that are always on. */
public final class BuiltInPlugins {

  private BuiltInPlugins() {}

  /**
   * In upstream's order.
   *
   * @param generatedName a name with a random end, from its beginning
   */
  public static List<AdmissionPlugin> all(UnaryOperator<String> generatedName) {
    return List.of(
        new LimitRanger(),
        new ServiceAccounts(generatedName),
        new Priority(),
        new DefaultTolerationSeconds(),
        new DefaultStorageClass(),
        new RuntimeClasses());
  }
}

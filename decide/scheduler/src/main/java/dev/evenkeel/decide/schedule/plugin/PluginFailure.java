package dev.evenkeel.decide.schedule.plugin;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plugin threw, or gave an answer that is none. The attempt that asked it has failed, and names
 * it; nothing else has.
 */
public final class PluginFailure extends RuntimeException {

  private final String plugin;
  private final String point;

  private PluginFailure(String plugin, String point, Throwable cause) {
    super("%s plugin \"%s\" failed: %s".formatted(point, plugin, shown(cause)), cause);
    this.plugin = plugin;
    this.point = point;
  }

  /** By its name. */
  public String plugin() {
    return plugin;
  }

  /** Where it was asked, as {@code Filter}. */
  public String point() {
    return point;
  }

  /**
   * What the plugin answers.
   *
   * @throws PluginFailure whatever it throws, an error of linking or its own among them
   */
  public static <T extends @Nullable Object> T ask(
      SchedulerPlugin plugin, String point, Supplier<T> call) {
    try {
      return call.get();
    } catch (Throwable e) {
      throw of(plugin, point, e);
    }
  }

  /** For those who ask so often that they catch it themselves. */
  public static PluginFailure of(SchedulerPlugin plugin, String point, Throwable cause) {
    if (cause instanceof VirtualMachineError fatal && !(cause instanceof StackOverflowError)) {
      throw fatal;
    }
    return new PluginFailure(nameOf(plugin), point, cause);
  }

  /** Its name, or that of its class if it does not even say that. */
  public static String nameOf(SchedulerPlugin plugin) {
    try {
      return Objects.requireNonNull(plugin.name());
    } catch (RuntimeException | LinkageError e) {
      return plugin.getClass().getName();
    }
  }

  /** An exception's text is code of the plugin's too. */
  private static String shown(Throwable cause) {
    try {
      return String.valueOf(cause);
    } catch (RuntimeException | LinkageError e) {
      return cause.getClass().getName();
    }
  }
}

package dev.evenkeel.decide.schedule.tenant;

import dev.evenkeel.kernel.fit.Demand;

/** Amounts in the units of {@link Demand}, for people. */
final class Units {

  private static final long KILO = 1024;
  private static final String[] SUFFIXES = {"", "Ki", "Mi", "Gi", "Ti"};

  private Units() {}

  static String text(String resource, long amount) {
    if (resource.equals(Demand.CPU)) {
      return amount % 1000 == 0 ? Long.toString(amount / 1000) : amount + "m";
    }
    if (!resource.equals("memory") && !resource.equals("ephemeral-storage")) {
      return Long.toString(amount);
    }
    long rest = amount;
    int suffix = 0;
    while (rest != 0 && rest % KILO == 0 && suffix < SUFFIXES.length - 1) {
      rest /= KILO;
      suffix++;
    }
    return rest + SUFFIXES[suffix];
  }
}

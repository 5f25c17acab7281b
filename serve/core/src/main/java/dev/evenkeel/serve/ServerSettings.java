package dev.evenkeel.serve;

import dev.evenkeel.serve.cache.CacheLimits;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.caller.TokenDigest;
import dev.evenkeel.serve.service.ServiceRanges;
import dev.evenkeel.serve.token.TokenSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an API server is told when it starts.
 *
 * @param tokens who is let in by a token that never changes; the tokens themselves are not kept
 * @param cache limits of each kind's cache
 * @param limits of the server as a whole
 * @param compaction how old history may grow before it is forgotten; zero keeps all of it
 * @param version what {@code /version} tells of the build
 * @param services what there is to give to services
 * @param anonymousHealth whether those who do not say who they are may ask if the server is well,
 *     and which version it is
 * @param accountTokens how tokens of service accounts are issued; null if none are
 */
public record ServerSettings(
    Map<TokenDigest, Caller> tokens,
    CacheLimits cache,
    ServerLimits limits,
    Duration compaction,
    BuildInfo version,
    ServiceRanges services,
    boolean anonymousHealth,
    @Nullable TokenSettings accountTokens) {

  public ServerSettings {
    tokens = Map.copyOf(tokens);
  }

  /**
   * What was built.
   *
   * @param commit empty if it is not known
   */
  public record BuildInfo(String version, String commit) {
    public static final BuildInfo UNKNOWN = new BuildInfo("0", "");
  }

  public static final ServerSettings DEFAULTS =
      new ServerSettings(
          Map.of(),
          CacheLimits.DEFAULTS,
          ServerLimits.DEFAULTS,
          Duration.ofMinutes(5),
          BuildInfo.UNKNOWN,
          ServiceRanges.DEFAULTS,
          true,
          null);

  /** The same, and this token is let in too. */
  public ServerSettings withToken(String token, String user, List<String> groups) {
    return withCallers(Map.of(TokenDigest.of(token), new Caller(user, groups)));
  }

  /** The same, and these are let in too. */
  public ServerSettings withCallers(Map<TokenDigest, Caller> others) {
    Map<TokenDigest, Caller> more = new HashMap<>(tokens);
    more.putAll(others);
    return new ServerSettings(
        more, cache, limits, compaction, version, services, anonymousHealth, accountTokens);
  }

  public ServerSettings withCache(CacheLimits other) {
    return new ServerSettings(
        tokens, other, limits, compaction, version, services, anonymousHealth, accountTokens);
  }

  public ServerSettings withLimits(ServerLimits other) {
    return new ServerSettings(
        tokens, cache, other, compaction, version, services, anonymousHealth, accountTokens);
  }

  public ServerSettings withCompaction(Duration other) {
    return new ServerSettings(
        tokens, cache, limits, other, version, services, anonymousHealth, accountTokens);
  }

  public ServerSettings withServices(ServiceRanges other) {
    return new ServerSettings(
        tokens, cache, limits, compaction, version, other, anonymousHealth, accountTokens);
  }

  /** Every limit by its name: numbers, bytes, and times in seconds. */
  public Map<String, Double> limitsByName() {
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("reads", (double) limits.readsMax());
    values.put("writes", (double) limits.writesMax());
    values.put("watches", (double) limits.watchesMax());
    values.put("watches-per-kind", (double) cache.watchesMax());
    values.put("request-bytes", (double) limits.requestBytesMax());
    values.put("request-time", seconds(limits.requestTime()));
    values.put("wait-time", seconds(cache.waitMax()));
    values.put("window-events", (double) cache.windowEventsMax());
    values.put("window-bytes", (double) cache.windowBytesMax());
    values.put("window-time", seconds(cache.windowAge()));
    values.put("history-time", seconds(compaction));
    return values;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  public ServerSettings withVersion(BuildInfo other) {
    return new ServerSettings(
        tokens, cache, limits, compaction, other, services, anonymousHealth, accountTokens);
  }

  public ServerSettings withAnonymousHealth(boolean other) {
    return new ServerSettings(
        tokens, cache, limits, compaction, version, services, other, accountTokens);
  }

  public ServerSettings withAccountTokens(TokenSettings other) {
    return new ServerSettings(
        tokens, cache, limits, compaction, version, services, anonymousHealth, other);
  }
}

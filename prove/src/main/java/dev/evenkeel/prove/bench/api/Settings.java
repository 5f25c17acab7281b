package dev.evenkeel.prove.bench.api;

import dev.evenkeel.prove.bench.api.load.LoadKind;
import dev.evenkeel.prove.bench.api.wire.Protocol;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What can be chosen. */
final class Settings {

  /** What can be measured, in the order in which it is. */
  enum Phase {
    CREATE,
    GET,
    UPDATE,
    LIST,
    WATCH,
    FANOUT,
    STALLED,
    START,
    IDLE,
    BIGLISTS,
    KINDS,
    OBJECTS
  }

  @Option(names = "--server", paramLabel = "URL", description = "The server to measure.")
  @Nullable String server;

  @Option(names = "--token", paramLabel = "T", description = "The bearer token for --server.")
  @Nullable String token;

  @Option(
      names = "--certificate-authority",
      paramLabel = "FILE",
      description = "Who signed --server's certificate, as PEM; the system's if not set.")
  @Nullable Path certificateAuthority;

  @Option(names = "--insecure", description = "Accept any certificate of --server.")
  boolean insecure;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "The server to measure, as the file's current context says.")
  @Nullable Path kubeconfig;

  @Option(
      names = "--pid",
      split = ",",
      paramLabel = "N",
      description = "The server's process, for its CPU and memory; several are added up.")
  List<Long> pids = List.of();

  @Option(
      names = "--phases",
      split = ",",
      paramLabel = "PHASE",
      description = "What to measure; everything if not set: ${COMPLETION-CANDIDATES}.")
  Set<Phase> phases = EnumSet.allOf(Phase.class);

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      defaultValue = "CONFIGMAP",
      description =
          "What the objects are: ${COMPLETION-CANDIDATES}; custom is a kind that is defined for the"
              + " run.")
  LoadKind kind = LoadKind.CONFIGMAP;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "How many objects there are for create, get, update, list and watch; several, in rising"
              + " order, make a table of growth.")
  List<Integer> sizes = List.of();

  @Option(names = "--clients", paramLabel = "N", defaultValue = "32", description = "Clients.")
  int clients;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "How many connections the clients share; one each if not set.")
  int connections;

  @Option(
      names = "--http",
      paramLabel = "1|2",
      defaultValue = "2",
      description = "HTTP/1.1 or HTTP/2 for requests.")
  int http;

  @Option(
      names = "--payload-bytes",
      paramLabel = "N",
      defaultValue = "1024",
      description = "An object's payload; the rest of it comes on top.")
  int payloadBytes;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How long each rate is measured, after half as long to warm up.")
  double seconds;

  @Option(
      names = "--listers",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many list at once.")
  int listers;

  @Option(names = "--watchers", paramLabel = "N", defaultValue = "1000", description = "Watchers.")
  int watchers;

  @Option(
      names = "--watch-connections",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many connections the watchers share over HTTP/2.")
  int watchConnections;

  @Option(
      names = "--watch-http",
      paramLabel = "1|2",
      defaultValue = "2",
      description = "HTTP/1.1 (a connection for each) or HTTP/2 for watches.")
  int watchHttp;

  @Option(
      names = "--backlog",
      paramLabel = "N",
      defaultValue = "32",
      description =
          "How many changes may be on their way to the watchers before the writers wait for them.")
  int backlog;

  @Option(
      names = "--watch-rate",
      paramLabel = "N",
      defaultValue = "79",
      description = "Changes a second where the watchers' latency is measured at a fixed rate.")
  double watchRate;

  @Option(
      names = "--fan-out",
      split = ",",
      paramLabel = "N",
      defaultValue = "1000,5000",
      description =
          "Watchers of the phase fanout, each on an HTTP/1.1 connection of its own, as kubelets"
              + " have them; several are measured one after the other.")
  List<Integer> fanOut = List.of();

  @Option(
      names = "--fan-out-writers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Who changes what they watch, over HTTP/1.1 too.")
  int fanOutWriters;

  @Option(
      names = "--fan-out-rate",
      paramLabel = "N",
      defaultValue = "79000",
      description = "Deliveries a second of the phase fanout at a fixed rate; 0 leaves that out.")
  double fanOutRate;

  @Option(
      names = "--idle-watchers",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Watches of the phase idle.")
  int idleWatchers;

  @Option(
      names = "--objects",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Objects of the phase objects.")
  int objects;

  @Option(
      names = "--big-lists",
      paramLabel = "N",
      defaultValue = "20",
      description = "Parallel lists of the phase biglists.")
  int bigLists;

  @Option(
      names = "--big-list-megabytes",
      paramLabel = "N",
      defaultValue = "20",
      description = "What each of them weighs.")
  int bigListMegabytes;

  @Option(
      names = "--kinds",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Kinds that the phase kinds defines.")
  int kinds;

  @Option(
      names = "--starts",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often a server of our own is started again.")
  int starts;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "embedded",
      description = "What a server of our own keeps its data in.")
  String store = "embedded";

  @Option(
      names = "--server-java-opts",
      paramLabel = "WORDS",
      defaultValue = "",
      description = "Further flags for the JVM of a server of our own.")
  String serverJavaOptions = "";

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where a server of our own keeps its data; a temporary folder if not set.")
  @Nullable Path folder;

  @Option(
      names = "--loops",
      paramLabel = "N",
      defaultValue = "1",
      description = "Event loops of the load generator.")
  int loops;

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the raw figures there.")
  @Nullable Path json;

  Protocol requestProtocol() {
    return Protocol.of(http);
  }

  Protocol watchProtocol() {
    return Protocol.of(watchHttp);
  }

  /** Over HTTP/1.1 nothing can be shared. */
  int connectionCount() {
    return connections == 0 || http == 1 ? clients : Math.min(connections, clients);
  }

  Duration time() {
    return Duration.ofMillis((long) (1000 * seconds));
  }

  Duration warmUp() {
    return time().dividedBy(2);
  }

  boolean ownServer() {
    return server == null && kubeconfig == null;
  }

  /** Why these cannot be used together, or null. */
  @Nullable String problem() {
    if (server != null && kubeconfig != null) {
      return "--server and --kubeconfig name two servers; give one";
    }
    if (clients < 1 || seconds <= 0 || watchers < 1 || listers < 1 || loops < 1 || backlog < 1) {
      return "clients, watchers, listers, loops and backlog start at 1, seconds above 0";
    }
    if (fanOutWriters < 1 || fanOut.stream().anyMatch(watchers -> watchers < 1)) {
      return "--fan-out and --fan-out-writers start at 1";
    }
    if (kinds < 1) {
      return "--kinds starts at 1";
    }
    if (http < 1 || http > 2 || watchHttp < 1 || watchHttp > 2) {
      return "--http and --watch-http are 1 or 2";
    }
    for (int i = 0; i < sizes.size(); i++) {
      if (sizes.get(i) < clients || (i > 0 && sizes.get(i) <= sizes.get(i - 1))) {
        return "--sizes rise, from one object for each of the " + clients + " clients";
      }
    }
    return null;
  }
}

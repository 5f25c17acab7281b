package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cache.CachedObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Refuses the writes of former leaders. A request may name the lease it is made under and the term;
 * it is carried out only while that term lasts, which the transaction itself makes sure of: a write
 * that was under way when another took over fails, however late it comes.
 *
 * <p>The header {@code Evenkeel-Lease: NAMESPACE/NAME TRANSITIONS HOLDER} names the lease and its
 * {@code leaseTransitions} and {@code holderIdentity}. A lease that has run out but was not taken
 * over still counts: nobody else acts under it, and clocks are no proof.
 */
final class Fences {

  static final String HEADER = "evenkeel-lease";

  /** The reason of the status, which is a 412. */
  static final String REASON = "LeaseLost";

  private final ResourceTable resources;

  Fences(ResourceTable resources) {
    this.resources = resources;
  }

  /** The guards of a write: those it has anyway, and its fence. */
  List<Authority.Guard> with(Call call, List<Authority.Guard> others) {
    String named = call.request().header(HEADER);
    if (named == null) {
      return others;
    }
    List<Authority.Guard> all = new ArrayList<>(others);
    all.add(read(named));
    return all;
  }

  private Authority.Guard read(String named) {
    String[] words = named.strip().split(" ", 3);
    int slash = words[0].indexOf('/');
    if (words.length < 3 || slash < 1 || slash == words[0].length() - 1) {
      throw malformed(named);
    }
    long term;
    try {
      term = Long.parseLong(words[1]);
    } catch (NumberFormatException e) {
      throw malformed(named);
    }
    Served leases = resources.at("coordination.k8s.io", "v1", "leases");
    String key = leases.key(words[0].substring(0, slash), words[0].substring(slash + 1));
    return new InTerm(leases, key, term, words[2]);
  }

  private static RuntimeException malformed(String named) {
    return Status.badRequest(
            "the header Evenkeel-Lease must be 'NAMESPACE/NAME TRANSITIONS HOLDER', not '"
                + named
                + "'")
        .asException();
  }

  private record InTerm(Served served, String key, long term, String holder)
      implements Authority.Guard {

    @Override
    public void check(@Nullable CachedObject current) {
      if (current == null) {
        throw lost("it does not exist");
      }
      JsonNode spec = Json.parseObject(current.json()).path("spec");
      String holds = spec.path("holderIdentity").asString("");
      long now = spec.path("leaseTransitions").asLong(0);
      if (!holds.equals(holder) || now != term) {
        throw lost(
            holds.isEmpty() ? "nobody holds it" : "'" + holds + "' holds it, in term " + now);
      }
    }

    private RuntimeException lost(String now) {
      return Status.of(
              412,
              REASON,
              "the write was made under the lease '%s' by '%s' in term %d, which is over: %s"
                  .formatted(key, holder, term, now))
          .asException();
    }
  }
}

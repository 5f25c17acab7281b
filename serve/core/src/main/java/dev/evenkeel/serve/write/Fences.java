package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.LeaseFence;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
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

  private final ResourceTable resources;

  Fences(ResourceTable resources) {
    this.resources = resources;
  }

  /** The guards of a write: those it has anyway, and its fence. */
  List<Authority.Guard> with(Call call, List<Authority.Guard> others) {
    String named = call.request().header(LeaseFence.HEADER);
    if (named == null) {
      return others;
    }
    List<Authority.Guard> all = new ArrayList<>(others);
    all.add(read(named));
    return all;
  }

  private Authority.Guard read(String named) {
    LeaseFence fence = LeaseFence.parse(named);
    if (fence == null) {
      throw malformed(named);
    }
    Served leases = resources.at("coordination.k8s.io", "v1", "leases");
    int slash = fence.lease().indexOf('/');
    String key = leases.key(fence.lease().substring(0, slash), fence.lease().substring(slash + 1));
    return new InTerm(leases, key, fence.transitions(), fence.holder());
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
              LeaseFence.LEASE_LOST,
              "the write was made under the lease '%s' by '%s' in term %d, which is over: %s"
                  .formatted(key, holder, term, now))
          .asException();
    }
  }
}

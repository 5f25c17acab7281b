package dev.evenkeel.decide.lead;

import dev.evenkeel.kernel.api.LeaseFence;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Header;
import org.jspecify.annotations.Nullable;

/**
 * The time in which one leads, until another takes over. Terms of a lease are counted, so no two
 * are the same.
 *
 * @param lease its namespace and name; empty where nobody else can act
 * @param number the lease's transitions
 * @param holder who leads
 * @param version that the lease got when the term began. Whatever the leader before wrote in its
 *     own terms was written before, so a cache that has come as far shows all of it; one that has
 *     not is not to be acted on. 0 where nobody else can act
 */
public record Term(String lease, long number, String holder, long version) {

  /** Of somebody who is alone. */
  static final Term ALONE = new Term("", 0, "", 0);

  /** A client whose writes are refused once the term is over, by servers that know of it. */
  public Client fence(Client client) {
    return lease.isEmpty()
        ? client
        : client.with(new Header(LeaseFence.HEADER, new LeaseFence(lease, number, holder).text()));
  }

  /** Whether another is the same one: also if that began anew, and nobody else led between. */
  boolean isSame(@Nullable Term other) {
    return other != null
        && lease.equals(other.lease)
        && number == other.number
        && holder.equals(other.holder);
  }

  @Override
  public String toString() {
    return lease.isEmpty() ? "alone" : "term " + number + " of " + lease;
  }
}

package dev.evenkeel.decide.lead;

import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Header;

/**
 * The time in which one leads, until another takes over. Terms of a lease are counted, so no two
 * are the same.
 *
 * @param lease its namespace and name; empty where nobody else can act
 * @param number the lease's transitions
 * @param holder who leads
 */
public record Term(String lease, long number, String holder) {

  /** Of somebody who is alone. */
  static final Term ALONE = new Term("", 0, "");

  /** A client whose writes are refused once the term is over, by servers that know of it. */
  public Client fence(Client client) {
    return lease.isEmpty()
        ? client
        : client.with(new Header("Evenkeel-Lease", lease + " " + number + " " + holder));
  }

  @Override
  public String toString() {
    return lease.isEmpty() ? "alone" : "term " + number + " of " + lease;
  }
}

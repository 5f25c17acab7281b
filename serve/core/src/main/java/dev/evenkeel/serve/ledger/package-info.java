/**
 * Ledgers: what is used of something that is limited, kept beside the objects in the store and
 * charged in the transaction that writes them. A write hands in {@link Bill}s; {@link Postings},
 * the one owner of all pages, judges them together and sends one transaction. What is particular to
 * quotas, shares and nodes is said by a {@link LedgerKind}.
 */
@NullMarked
package dev.evenkeel.serve.ledger;

import org.jspecify.annotations.NullMarked;

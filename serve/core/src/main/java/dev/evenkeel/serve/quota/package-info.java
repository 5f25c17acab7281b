/**
 * Quotas that cannot be exceeded. What an object uses is a pure function of the object ({@link
 * dev.evenkeel.serve.quota.Evaluator}); what a namespace has used is in a ledger beside each quota,
 * and {@link dev.evenkeel.serve.ledger.Postings} writes both in one transaction.
 */
@NullMarked
package dev.evenkeel.serve.quota;

import org.jspecify.annotations.NullMarked;

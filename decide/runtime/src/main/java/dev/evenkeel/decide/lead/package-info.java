/**
 * Who acts: leader election through leases, and the term that every write of a leader is made in,
 * so that a server can refuse those of a former one.
 */
@NullMarked
package dev.evenkeel.decide.lead;

import org.jspecify.annotations.NullMarked;

/**
 * Admission policies, read and compiled: which writes they are about, what their expressions look
 * at, and the expressions themselves. The rules of their kinds refuse what cannot be compiled; the
 * server runs what was.
 */
@NullMarked
package dev.evenkeel.serve.kinds.policy;

import org.jspecify.annotations.NullMarked;

/**
 * What the rules of all kinds are written with: a place in an object that can say what is wrong
 * with it, and the forms that names, labels, addresses and shares must have. The sentences are
 * Kubernetes' own, because people and programs know them.
 */
@NullMarked
package dev.evenkeel.serve.kinds.rules.check;

import org.jspecify.annotations.NullMarked;

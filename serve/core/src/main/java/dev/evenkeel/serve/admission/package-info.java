/**
 * What may still be changed or refused between a request and the store, beyond what makes an object
 * valid. Plugins first change, then judge; each says which writes it is about, and a kind nobody is
 * about pays nothing.
 *
 * <p>Two things that upstream does here are elsewhere, because they must hold in the transaction
 * itself: that a namespace takes new objects is a guard of the registry's, and quotas are charged
 * by {@code dev.evenkeel.serve.quota}.
 *
 * <p>A plugin answers at once, from what it is given and from the caches of the kinds it said it
 * reads; these are ready before the write is looked at, and are brought up to date before a refusal
 * is told. So the list of plugins may be replaced by one with other kinds to read, such as the
 * parameters of policies, and the way of a write stays as it is.
 */
@NullMarked
package dev.evenkeel.serve.admission;

import org.jspecify.annotations.NullMarked;

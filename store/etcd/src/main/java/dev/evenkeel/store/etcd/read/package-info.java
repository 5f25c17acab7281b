/**
 * What is and was in etcd: ranges at a revision, how far history goes back, and watches. One watch
 * on etcd feeds all of ours; those that lag read history until they have caught up.
 */
@NullMarked
package dev.evenkeel.store.etcd.read;

import org.jspecify.annotations.NullMarked;

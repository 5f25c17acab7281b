/** The embedded engine on trial: the contract, and everything that happens to a folder. */
@NullMarked
package dev.evenkeel.store.rocksdb;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.evenkeel.prove.bench.reconcile;

import org.jspecify.annotations.NullMarked;

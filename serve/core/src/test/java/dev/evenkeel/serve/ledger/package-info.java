@NullMarked
package dev.evenkeel.serve.ledger;

import org.jspecify.annotations.NullMarked;

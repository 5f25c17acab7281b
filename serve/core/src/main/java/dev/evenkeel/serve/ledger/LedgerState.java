package dev.evenkeel.serve.ledger;

import dev.evenkeel.kernel.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A ledger as the store has it, had it, or is to have it.
 *
 * @param value its bytes, which are what is compared; null if there is none
 * @param ledger what they say; null if there is none
 * @param version of its last change; 0 if there is none
 * @param asOf the store's revision at which it was read; 0 if it was not read
 */
public record LedgerState<L>(
    String name, @Nullable Bytes value, @Nullable L ledger, long version, long asOf) {}

/**
 * JSON as trees and as bytes: the one place where bodies are decoded and encoded, with the limits
 * that keep a hostile body from costing more than its bytes.
 */
@NullMarked
package dev.evenkeel.kernel.json;

import org.jspecify.annotations.NullMarked;

/**
 * Server-side apply without a server: who owns which fields, what an applied configuration makes of
 * an object, and where two managers disagree. Pure functions on trees and schemas; the registry
 * calls them on the way to the store. The rules, and the order of everything that is written, are
 * those of Kubernetes' structured merge and diff.
 */
@NullMarked
package dev.evenkeel.kernel.apply;

import org.jspecify.annotations.NullMarked;

/** The words of the Kubernetes API that every part shares: kinds, metadata, errors. */
@NullMarked
package dev.evenkeel.kernel.api;

import org.jspecify.annotations.NullMarked;

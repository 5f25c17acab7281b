/** Tests of what pods take of nodes, part by part. */
@NullMarked
package dev.evenkeel.serve.allocation;

import org.jspecify.annotations.NullMarked;

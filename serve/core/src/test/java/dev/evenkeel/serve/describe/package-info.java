/** What the server tells about itself, held against what it serves. */
@NullMarked
package dev.evenkeel.serve.describe;

import org.jspecify.annotations.NullMarked;

/** Tests of the protobuf form. */
@NullMarked
package dev.evenkeel.serve.kinds.wire;

import org.jspecify.annotations.NullMarked;

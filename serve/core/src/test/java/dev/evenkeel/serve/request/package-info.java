/** Tests of what requests ask for. */
@NullMarked
package dev.evenkeel.serve.request;

import org.jspecify.annotations.NullMarked;

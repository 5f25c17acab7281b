/** Devices: what drivers offer, what claims ask for, and what they were given. */
@NullMarked
package dev.evenkeel.serve.kinds.rules.device;

import org.jspecify.annotations.NullMarked;

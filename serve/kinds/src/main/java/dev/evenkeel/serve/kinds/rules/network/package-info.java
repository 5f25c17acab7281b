/** Services, what is behind them, what leads to them and what keeps traffic away. */
@NullMarked
package dev.evenkeel.serve.kinds.rules.network;

import org.jspecify.annotations.NullMarked;

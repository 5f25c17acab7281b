/** Controllers that keep a cluster as a whole in order, whatever runs in it. */
@NullMarked
package dev.evenkeel.decide.controllers.cluster;

import org.jspecify.annotations.NullMarked;

/** Controllers that say where a service's pods are reached: as Endpoints and as EndpointSlices. */
@NullMarked
package dev.evenkeel.decide.controllers.network;

import org.jspecify.annotations.NullMarked;

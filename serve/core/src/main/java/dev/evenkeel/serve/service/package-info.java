/**
 * What services are given: cluster addresses and ports of nodes. Each is claimed in the transaction
 * that writes the service, so that no two services ever have the same one, on whichever server they
 * were made.
 */
@NullMarked
package dev.evenkeel.serve.service;

import org.jspecify.annotations.NullMarked;

/**
 * Kubernetes' protobuf: the form in which most clients send built-in kinds. Trees of JSON are made
 * from it and written as it, by the same schemas as everything else; what it needs beyond them, the
 * numbers of the fields, is data. Bodies come from and go to the server's requests through {@link
 * dev.evenkeel.serve.kinds.wire.WireCodec}.
 *
 * <p>The numbers lie in a folder of this package's name, a file for each package of types. A type
 * and its fields stand on a line, which may go on in lines that begin with spaces:
 *
 * <pre>
 * Container name=1! command=3 securityContext=15* stdin=16
 * Volume name=1! +VolumeSource=2
 * VolumeSource hostPath=1* emptyDir=2*
 * </pre>
 *
 * <p>{@code *} marks a field that is written only if it is set, so that its zero means something.
 * The others are always written: their zeros are left out of trees, except after {@code !}, where
 * JSON shows them too. {@code +} is a message whose fields stand in JSON beside those of the type
 * around it.
 *
 * <p>The numbers are those of Kubernetes' own protobuf messages and never change there; a field
 * that is added to a type needs its number added here. Tests tell which are missing, and hold all
 * others against the messages of the official Java client.
 */
@NullMarked
package dev.evenkeel.serve.kinds.wire;

import org.jspecify.annotations.NullMarked;

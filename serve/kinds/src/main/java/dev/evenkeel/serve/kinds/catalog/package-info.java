/**
 * The built-in kinds and their types, read from text files. The server starts from {@link
 * dev.evenkeel.serve.kinds.catalog.Catalog#builtIn}; types are read when the first object of them
 * comes by.
 *
 * <p>The files lie beside this package's parent: {@code builtin.kinds}, which is read at start, and
 * {@code <group>.types}. Line by line, where {@code #} begins a comment:
 *
 * <pre>
 * group apps                                  # "core" is the group without a name
 * version v1 io.k8s.api.apps.v1               # and the package of its types
 * kind Deployment deployments namespaced short=deploy categories=all generation
 *   subresource scale kind=autoscaling/v1/Scale
 *   subresource status                        # of the kind itself; get, patch, update
 *   selectable spec.someField                 # for field selectors
 *   selectable status.name=status.older       # kept under another path
 * </pre>
 *
 * <p>A kind without {@code verbs=} has them all; {@code stored=group/version} keeps its objects as
 * that version's; {@code put-creates} lets an update make what does not exist. Groups and their
 * versions stand in order of preference.
 *
 * <pre>
 * package io.k8s.api.apps.v1                  # the types below are of this package
 *
 * object Deployment                           # with apiVersion, kind and metadata; "metadata!"
 *                                             # where it is published as required
 *   spec DeploymentSpec = {}                  # a default: here an empty object
 *
 * type DeploymentSpec
 *   replicas int32 = 1 min=0                  # a default, a limit
 *   selector meta.v1.LabelSelector! required  # ! published as required; required: refused without
 *   template core.v1.PodTemplateSpec!         # of another file, named by group and version
 *   conditions [Condition] merge=type map=type
 *   labels {string}
 * </pre>
 *
 * <p>Types are {@code string}, {@code int32}, {@code int64}, {@code double}, {@code boolean},
 * {@code bytes}, {@code time}, {@code microtime}, {@code quantity}, {@code int-or-string}, {@code
 * any}, a type's name, {@code [list]} and {@code {map}}.
 *
 * <p>On a type: {@code open} keeps what it does not know, {@code atomic} is owned as one value,
 * {@code like=T} has T's fields but may be something else than an object, {@code union=type,a,b}
 * says in its field {@code type} which of {@code a} and {@code b} is set. On a field: {@code =
 * value} (JSON without spaces, or a bare word), {@code or-zero} where a zero counts as absent,
 * {@code with.field=value} for defaults inside that hold only here, {@code merge}, {@code
 * merge=key}, {@code retainKeys} and {@code replace} for strategic merge patches, {@code set},
 * {@code map=keys}, {@code atomic} and {@code granular} for server-side apply, and the limits
 * {@code required}, {@code oneof=a|b}, {@code min=}, {@code max=}, {@code positive=}, {@code
 * length=}, {@code format=} and {@code keys=} (see {@link dev.evenkeel.kernel.schema.Limits}).
 *
 * <p>What OpenAPI says of a field beyond that: {@code published} names its default; {@code
 * enum=a|b} lists these values instead of those of {@code oneof}, and {@code enum=} none ({@code _}
 * stands for a space).
 */
@NullMarked
package dev.evenkeel.serve.kinds.catalog;

import org.jspecify.annotations.NullMarked;

/** Kinds that users define: from a CustomResourceDefinition to what the server needs of a kind. */
@NullMarked
package dev.evenkeel.serve.kinds.custom;

import org.jspecify.annotations.NullMarked;

/** Certificates and private keys as the text that files and kubeconfigs hold. */
@NullMarked
package dev.evenkeel.kernel.pem;

import org.jspecify.annotations.NullMarked;

/** The file between the server and its clients. */
@NullMarked
package dev.evenkeel.operate.kubeconfig;

import org.jspecify.annotations.NullMarked;

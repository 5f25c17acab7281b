/**
 * Pod security levels: what the labels of a namespace say, which checks that means in which
 * version, and what they find wrong with a pod. Pure functions over JSON; {@code admission.builtin}
 * asks them about writes and tells what they found.
 */
@NullMarked
package dev.evenkeel.serve.podsecurity;

import org.jspecify.annotations.NullMarked;

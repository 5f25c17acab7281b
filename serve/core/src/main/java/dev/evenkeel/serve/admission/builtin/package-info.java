/**
 * Upstream's plugins that every cluster runs, with upstream's words: what a pod gets though nobody
 * wrote it, and what a namespace's limit ranges allow.
 */
@NullMarked
package dev.evenkeel.serve.admission.builtin;

import org.jspecify.annotations.NullMarked;

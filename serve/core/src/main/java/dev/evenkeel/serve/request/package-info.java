/**
 * What a request asks for: its path taken apart, its query, the form in which the answer is wanted.
 */
@NullMarked
package dev.evenkeel.serve.request;

import org.jspecify.annotations.NullMarked;

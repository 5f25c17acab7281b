/**
 * What the schemas of the built-in kinds cannot say, kind by kind, a package for each part of the
 * API: {@code pod} with {@code container} and {@code placement}, {@code workload}, {@code network},
 * {@code storage}, {@code access}, {@code cluster} and {@code extension}. All are written with
 * {@code check}.
 */
@NullMarked
package dev.evenkeel.serve.kinds.rules;

import org.jspecify.annotations.NullMarked;

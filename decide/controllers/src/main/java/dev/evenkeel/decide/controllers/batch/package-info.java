/**
 * Controllers of work that ends: jobs, the time after which finished ones are removed, and jobs by
 * the clock.
 */
@NullMarked
package dev.evenkeel.decide.controllers.batch;

import org.jspecify.annotations.NullMarked;

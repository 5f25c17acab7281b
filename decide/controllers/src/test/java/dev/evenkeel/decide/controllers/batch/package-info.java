@NullMarked
package dev.evenkeel.decide.controllers.batch;

import org.jspecify.annotations.NullMarked;

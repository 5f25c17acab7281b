/** What the tables show, case by case. */
@NullMarked
package dev.evenkeel.serve.kinds.tables;

import org.jspecify.annotations.NullMarked;

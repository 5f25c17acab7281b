/**
 * What users could give to a server; packed into jars by the tests, and not seen by it otherwise.
 */
@NullMarked
package dev.evenkeel.operate.control.given;

import org.jspecify.annotations.NullMarked;

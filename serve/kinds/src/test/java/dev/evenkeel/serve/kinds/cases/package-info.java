/** Cases as data: what goes in and what comes out, in YAML files beside the tests. */
@NullMarked
package dev.evenkeel.serve.kinds.cases;

import org.jspecify.annotations.NullMarked;

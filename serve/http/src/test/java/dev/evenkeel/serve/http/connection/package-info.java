@NullMarked
package dev.evenkeel.serve.http.connection;

import org.jspecify.annotations.NullMarked;

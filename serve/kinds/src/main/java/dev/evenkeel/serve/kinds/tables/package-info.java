/**
 * What {@code kubectl get} shows of the built-in kinds. Most columns are a name and a path; the few
 * that are computed have a class for their noun. Objects come from the store and were checked when
 * they were written, but a printer trusts none of that: what is missing or of the wrong type is
 * shown as absent, because one odd object must not hide a whole list.
 */
@NullMarked
package dev.evenkeel.serve.kinds.tables;

import org.jspecify.annotations.NullMarked;

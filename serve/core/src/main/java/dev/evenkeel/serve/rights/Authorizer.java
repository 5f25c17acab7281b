package dev.evenkeel.serve.rights;

/** Knows who may do what. Asked for every request, on its thread; must not block. */
public interface Authorizer {

  Verdict decide(Attributes attributes);
}

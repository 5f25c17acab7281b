package dev.evenkeel.kernel.selector;

/**
 * What is wrong with a selector, on its way to the {@link dev.evenkeel.kernel.api.ApiException}
 * that callers see: the parser puts its own words in front.
 */
final class InvalidSelector extends RuntimeException {

  InvalidSelector(String message) {
    super(message, null, false, false);
  }
}

package dev.evenkeel.decide.controllers.network;

/** The two kinds of addresses, in the words of the API. */
enum Family {
  IPV4("IPv4"),
  IPV6("IPv6");

  private final String word;

  Family(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  static Family of(String address) {
    return address.indexOf(':') >= 0 ? IPV6 : IPV4;
  }
}

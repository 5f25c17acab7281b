package dev.evenkeel.prove.bench.api.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Encodes the headers of requests (RFC 7541). The ones that never change are put into the server's
 * table with the first request and are one byte each from then on, as with any good client; the
 * rest is sent as plain literals.
 *
 * <p>Threading: owned by its connection.
 */
final class RequestHeaders {

  /*
   * Nothing else is ever put into the table, so the places of these entries are fixed: the newest
   * has the number 62, after the 61 that every table begins with.
   */
  private static final int FIRST_DYNAMIC = 62;

  private static final int ENTRY_OVERHEAD_BYTES = 32;

  /** What a table may hold unless the server's settings say otherwise. */
  static final int TABLE_BYTES_DEFAULT = 4096;

  // Places in the table that every connection begins with.
  private static final int METHOD_GET = 2;
  private static final int METHOD_POST = 3;
  private static final int METHOD = 2;
  private static final int PATH = 4;
  private static final int SCHEME_HTTPS = 7;
  private static final int ACCEPT_ENCODING = 16;
  private static final Map<String, Integer> NAMES =
      Map.of(
          ":authority", 1, "accept", 19, "authorization", 23, "content-type", 31, "user-agent", 58);

  private record Header(String name, String value) {}

  private final List<Header> fixed;
  private final int tableBytesMax;
  private final boolean tableHoldsThem;
  private boolean inTable;
  private boolean mustConfirmSize;

  /**
   * @param tableBytesMax how large the server lets the table be
   */
  RequestHeaders(Target target, int tableBytesMax) {
    var headers = new java.util.ArrayList<Header>();
    headers.add(new Header(":authority", target.authority()));
    headers.add(new Header("accept", "application/json"));
    headers.add(new Header("content-type", "application/json"));
    headers.add(new Header("user-agent", Target.USER_AGENT));
    if (target.token() != null) {
      headers.add(new Header("authorization", "Bearer " + target.token()));
    }
    this.fixed = List.copyOf(headers);
    int bytes = 0;
    for (Header header : fixed) {
      bytes += header.name.length() + header.value.length() + ENTRY_OVERHEAD_BYTES;
    }
    this.tableBytesMax = tableBytesMax;
    this.tableHoldsThem = bytes <= tableBytesMax;
    this.mustConfirmSize = tableBytesMax < TABLE_BYTES_DEFAULT;
  }

  void write(Request request, ByteBuf to) {
    if (mustConfirmSize) {
      mustConfirmSize = false;
      integer(to, 0x20, 5, tableBytesMax);
    }
    switch (request.method()) {
      case GET -> integer(to, 0x80, 7, METHOD_GET);
      case POST -> integer(to, 0x80, 7, METHOD_POST);
      case PUT, DELETE -> {
        integer(to, 0, 4, METHOD);
        string(to, request.method().name());
      }
    }
    integer(to, 0x80, 7, SCHEME_HTTPS);
    integer(to, 0, 4, PATH);
    string(to, request.path());
    String accept = request.accept();
    boolean forTable = tableHoldsThem && accept == null;
    for (int i = 0; i < fixed.size(); i++) {
      Header header = fixed.get(i);
      if (accept != null && header.name.equals("accept")) {
        literal(to, new Header("accept", accept), false);
        integer(to, 0, 4, ACCEPT_ENCODING);
        string(to, "gzip");
      } else if (inTable) {
        integer(to, 0x80, 7, FIRST_DYNAMIC + fixed.size() - 1 - i);
      } else {
        literal(to, header, forTable);
      }
    }
    // All of them go into the table together or not at all, so that their places are fixed.
    inTable |= forTable;
  }

  /** With its name from the table. */
  private static void literal(ByteBuf to, Header header, boolean forTable) {
    int name = NAMES.getOrDefault(header.name, 0);
    if (forTable) {
      integer(to, 0x40, 6, name);
    } else {
      integer(to, 0, 4, name);
    }
    string(to, header.value);
  }

  private static void integer(ByteBuf to, int mark, int bits, int value) {
    int max = (1 << bits) - 1;
    if (value < max) {
      to.writeByte(mark | value);
      return;
    }
    to.writeByte(mark | max);
    int rest = value - max;
    while (rest >= 0x80) {
      to.writeByte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    to.writeByte(rest);
  }

  private static void string(ByteBuf to, String value) {
    integer(to, 0, 7, value.length());
    to.writeCharSequence(value, StandardCharsets.US_ASCII);
  }
}

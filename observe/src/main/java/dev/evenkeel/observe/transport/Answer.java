package dev.evenkeel.observe.transport;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer whose body is still to be read. */
public record Answer(int status, List<Header> headers, AnswerBody body) {

  public Answer {
    headers = List.copyOf(headers);
  }

  /** The first value of a header, null if there is none. */
  public @Nullable String header(String name) {
    for (Header header : headers) {
      if (header.name().equalsIgnoreCase(name)) {
        return header.value();
      }
    }
    return null;
  }

  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /** After how many seconds the server asks to be asked again; 0 if it says nothing. */
  public int retryAfterSeconds() {
    String value = header("Retry-After");
    if (value == null || value.isEmpty() || value.length() > 5) {
      return 0;
    }
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < '0' || value.charAt(i) > '9') {
        return 0;
      }
    }
    return Integer.parseInt(value);
  }
}

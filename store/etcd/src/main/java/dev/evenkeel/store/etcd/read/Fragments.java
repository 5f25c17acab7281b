package dev.evenkeel.store.etcd.read;

import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchResponse;

/**
 * A watch's answers in fragments: part of etcd's API since 3.4, and missing in jetcd's bindings, so
 * that its two fields are written and read by their numbers. Without it a watch that has to catch
 * up gets a thousand revisions in one message, however large that is.
 */
final class Fragments {

  private static final int CREATE_REQUEST_FRAGMENT = 8;
  private static final int RESPONSE_FRAGMENT = 7;

  private Fragments() {}

  static void allow(WatchCreateRequest.Builder request) {
    request.setUnknownFields(
        UnknownFieldSet.newBuilder()
            .addField(CREATE_REQUEST_FRAGMENT, Field.newBuilder().addVarint(1).build())
            .build());
  }

  /** Whether the answer goes on in the next message. */
  static boolean goesOn(WatchResponse response) {
    UnknownFieldSet fields = response.getUnknownFields();
    return fields.hasField(RESPONSE_FRAGMENT)
        && fields.getField(RESPONSE_FRAGMENT).getVarintList().contains(1L);
  }
}

package dev.evenkeel.serve.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptTest {

  private static final String WIRE = "application/vnd.kubernetes.protobuf";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json | JSON | OBJECT | NO",
        "*/* | JSON | OBJECT | NO",
        "application/yaml | YAML | OBJECT | NO",
        "application/vnd.kubernetes.protobuf | JSON | OBJECT | ONLY",
        "application/vnd.kubernetes.protobuf,application/json | JSON | OBJECT | FIRST",
        "application/vnd.kubernetes.protobuf, */* | JSON | OBJECT | FIRST",
        "application/vnd.kubernetes.protobuf;q=0.9,application/yaml | YAML | OBJECT | FIRST",
        "application/json,application/vnd.kubernetes.protobuf | JSON | OBJECT | NO",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json | JSON | TABLE | NO",
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
            + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
            + " | JSON | PARTIAL_METADATA | NO",
      })
  void parse_takesTheFirstThatCanBeServed(
      String header, Json.Format format, Accept.As as, Accept.Wire wire) {
    Accept accept = Accept.parse(header);
    assertThat(accept.format()).isEqualTo(format);
    assertThat(accept.as()).isEqualTo(as);
    assertThat(accept.wire()).isEqualTo(wire);
  }

  @Test
  void parse_refusesWhatNobodyServes() {
    assertThatThrownBy(() -> Accept.parse("application/cbor")).isInstanceOf(ApiException.class);
    assertThatThrownBy(() -> Accept.parse(WIRE + ";as=Table;v=v1;g=meta.k8s.io"))
        .isInstanceOf(ApiException.class);
  }
}

package dev.evenkeel.serve.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.json.Json;
import java.util.List;
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
        "application/vnd.kubernetes.protobuf;q=0.9,application/yaml | YAML | OBJECT | NO",
        "application/json;q=0.1,application/yaml;q=0.8 | YAML | OBJECT | NO",
        "*/*,application/yaml | YAML | OBJECT | NO",
        "application/* | JSON | OBJECT | NO",
        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
            + " | JSON | PARTIAL_METADATA_LIST | NO",
        "application/json,application/vnd.kubernetes.protobuf | JSON | OBJECT | NO",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json | JSON | TABLE | NO",
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
            + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
            + " | JSON | PARTIAL_METADATA | METADATA",
        "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1,"
            + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
            + " | JSON | PARTIAL_METADATA | NO",
      })
  void parse_takesTheFirstThatCanBeServed(
      String header, Json.Format format, Accept.As as, Accept.Wire wire) {
    Accept accept = Accept.parse(header, Accept.Offer.ALL);
    assertThat(accept.format()).isEqualTo(format);
    assertThat(accept.as()).isEqualTo(as);
    assertThat(accept.wire()).isEqualTo(wire);
  }

  @Test
  void parse_refusesWhatNobodyServes() {
    for (String header : List.of("application/cbor", WIRE + ";as=Table;v=v1;g=meta.k8s.io")) {
      assertThatThrownBy(() -> Accept.parse(header, Accept.Offer.ALL))
          .isInstanceOf(ApiException.class)
          .hasMessage(
              "only the following media types are accepted: application/json, application/yaml, "
                  + WIRE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "application/cbor, false, ''",
    "application/*, false, ''",
    "text/html, true, ', application/json;stream=watch, " + WIRE + ";stream=watch'",
  })
  void parse_wantsMediaTypesByName_whereKindsAreBuiltIn(String header, boolean list, String more) {
    assertThatThrownBy(() -> Accept.parse(header, new Accept.Offer(true, list, true)))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "406: Not Acceptable\n\nAvailable representations: application/json,"
                + " application/yaml, "
                + WIRE
                + more);
  }

  @Test
  void parse_findsNoTables_whereThereAreNone() {
    String table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    var offer = new Accept.Offer(true, false, false);
    assertThatThrownBy(() -> Accept.parse(table, offer)).isInstanceOf(ApiException.class);
    assertThat(Accept.parse(table + ",application/json", offer)).isEqualTo(Accept.JSON);
  }

  @ParameterizedTest
  @CsvSource({
    "application/yaml, application/yaml",
    WIRE + ", " + WIRE,
    "application/json;as=Table;v=v1;g=meta.k8s.io, application/json",
    "application/cbor, application/json",
  })
  void errors_areWrittenAsTheRestWouldBe(String header, String type) {
    assertThat(Accept.ofErrors(header)).isEqualTo(type);
  }
}

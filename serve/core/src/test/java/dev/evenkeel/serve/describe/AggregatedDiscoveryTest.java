package dev.evenkeel.serve.describe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AggregatedDiscoveryTest {

  private static final Predicate<ResourceDefinition> IS_APPS =
      definition -> definition.group().equals("apps");

  private final Described described =
      new Described(Catalog.builtIn().stream().filter(IS_APPS.negate()).toList());
  private final AggregatedDiscovery discovery = described.aggregated();

  @AfterEach
  void close() {
    described.close();
  }

  private ApiResponse get(boolean core, Map<String, String> headers) {
    CompletableFuture<ApiResponse> answer =
        discovery.answer(
            new ApiRequest("GET", core ? "/api" : "/apis", "", headers, null, ApiRequest.Body.NONE),
            core);
    described.run();
    return answer.join();
  }

  private List<String> names(boolean core) {
    byte[] bytes = ((ApiResponse.Whole) get(core, Map.of()).content()).bytes();
    return Json.parse(bytes)
        .path("items")
        .valueStream()
        .map(item -> item.at("/metadata/name").asString(""))
        .toList();
  }

  @Test
  void group_isThereAtOnceWhenItsFirstKindIsServed() {
    assertThat(names(false)).contains("batch").doesNotContain("apps", "");
    described.serve(Catalog.builtIn().stream().filter(IS_APPS).toList());
    assertThat(names(false)).contains("batch", "apps");
    assertThat(names(true)).containsExactly("");
  }

  @Test
  void client_thatHasItIsToldSoUntilItChanges() {
    String tag = Described.header(get(false, Map.of()), "Etag");
    assertThat(tag).isNotEmpty();
    assertThat(get(false, Map.of("if-none-match", tag)).status()).isEqualTo(304);
    described.serve(Catalog.builtIn().stream().filter(IS_APPS).toList());
    ApiResponse changed = get(false, Map.of("if-none-match", tag));
    assertThat(changed.status()).isEqualTo(200);
    assertThat(Described.header(changed, "Content-Type"))
        .isEqualTo("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  }
}

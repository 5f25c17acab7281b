package dev.evenkeel.serve.describe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CachedDocumentTest {

  private static final List<ResourceDefinition> KINDS = Catalog.builtIn().subList(0, 4);

  @Test
  void making_isOneAtATimeAndThoseWhoCameTooLateShareTheNext() {
    try (var described = new Described(List.of())) {
      List<String> makings = new ArrayList<>();
      CachedDocument<Integer> remade =
          described.remade(
              (table, before) -> {
                makings.add(before + "->" + table.size());
                return table.size();
              });
      List<CompletableFuture<Integer>> answers = new ArrayList<>();
      for (ResourceDefinition kind : KINDS) {
        answers.add(remade.current());
        answers.add(remade.current());
        described.serve(List.of(kind));
      }
      assertThat(makings).isEmpty();
      described.run();
      // The first is of the table as it was; the others asked after it had begun.
      assertThat(makings).containsExactly("null->0", "0->4");
      assertThat(answers.stream().map(CompletableFuture::join))
          .containsExactly(0, 0, 4, 4, 4, 4, 4, 4);
      assertThat(remade.current()).isCompletedWithValue(4);
    }
  }

  @Test
  void making_thatFailsIsToldAndTriedAgain() {
    try (var described = new Described(List.of())) {
      List<Integer> makings = new ArrayList<>();
      CachedDocument<Integer> remade =
          described.remade(
              (table, _) -> {
                makings.add(table.size());
                if (makings.size() == 1) {
                  throw new IllegalStateException("not this time");
                }
                return table.size();
              });
      CompletableFuture<Integer> failing = remade.current();
      described.serve(KINDS);
      CompletableFuture<Integer> waiting = remade.current();
      described.run();
      assertThat(failing).isCompletedExceptionally();
      assertThat(waiting).isCompletedWithValue(4);
      assertThat(makings).containsExactly(0, 4);
    }
  }
}

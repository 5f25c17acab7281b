package dev.evenkeel.serve.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiRequest.Peer;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;

class PeersTest {

  @Test
  void subject_isReadWithAllItsOrganizations() {
    assertThat(Peers.named(new X500Principal("CN=jane, O=dev, O=ops, C=DE")))
        .isEqualTo(new Peer("jane", List.of("ops", "dev")));
    assertThat(Peers.named(new X500Principal("CN=system:node:a\\,b + O=system:nodes")))
        .isEqualTo(new Peer("system:node:a,b", List.of("system:nodes")));
  }

  @Test
  void subjectWithoutAName_isNobody() {
    assertThat(Peers.named(new X500Principal("O=dev"))).isNull();
    assertThat(Peers.named(new X500Principal(""))).isNull();
    assertThat(Peers.of(null)).isNull();
  }
}

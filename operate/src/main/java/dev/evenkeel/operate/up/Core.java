package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.http.tls.Credentials;
import dev.evenkeel.store.Store;
import java.util.List;

/** How {@code up} sets the API server up. */
final class Core {

  private Core() {}

  static ApiServer open(
      Env env,
      Store store,
      Credentials credentials,
      IdentitySettings identity,
      ServerSettings settings) {
    return ApiServer.open(
        env,
        store,
        settings
            .withCallers(identity.callers())
            .withToken(credentials.adminToken(), "kubernetes-admin", List.of("system:masters"))
            .withAccountTokens(identity.tokens(credentials)));
  }
}

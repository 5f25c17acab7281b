package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Secrets. No message ever shows a value. */
public final class SecretRules implements KindRules {

  private static final String ACCOUNT_ANNOTATION = "kubernetes.io/service-account.name";
  private static final String REDACTED = "<secret contents redacted>";

  /** What was written as text becomes data like the rest. */
  @Override
  public void applyDefaults(ObjectNode secret) {
    if (secret.path("stringData") instanceof ObjectNode texts) {
      if (!texts.isEmpty()) {
        ObjectNode data =
            secret.path("data") instanceof ObjectNode there ? there : secret.putObject("data");
        texts.forEachEntry(
            (key, value) ->
                data.put(
                    key,
                    Base64.getEncoder()
                        .encodeToString(Meta.text(value).getBytes(StandardCharsets.UTF_8))));
      }
      secret.remove("stringData");
    }
  }

  /** A type, once given, is kept by an update that leaves it out. */
  @Override
  public void prepareForUpdate(ObjectNode secret, ObjectNode old) {
    if (Meta.text(secret.path("type")).isEmpty() && old.has("type")) {
      secret.set("type", old.get("type"));
    }
  }

  @Override
  public void validate(ObjectNode secret, Problems problems) {
    Place whole = Place.of(secret, problems);
    Place data = whole.at("data");
    if (DataEntries.areTooLong(MissingNode.getInstance(), data.node())) {
      data.tooLong(DataEntries.BYTES_MAX);
    }
    switch (whole.at("type").text()) {
      case "kubernetes.io/service-account-token" -> {
        Place account = whole.at("metadata", "annotations").key(ACCOUNT_ANNOTATION);
        if (account.isEmpty()) {
          account.required();
        }
      }
      case "kubernetes.io/dockercfg" -> json(data.key(".dockercfg"));
      case "kubernetes.io/dockerconfigjson" -> json(data.key(".dockerconfigjson"));
      case "kubernetes.io/basic-auth" -> {
        if (!data.key("username").isThere() && !data.key("password").isThere()) {
          data.key("username").required();
          data.key("password").required();
        }
      }
      case "kubernetes.io/ssh-auth" -> {
        if (data.key("ssh-privatekey").isEmpty()) {
          data.key("ssh-privatekey").required();
        }
      }
      case "kubernetes.io/tls" -> {
        for (String key : List.of("tls.crt", "tls.key")) {
          if (!data.key(key).isThere()) {
            data.key(key).required();
          }
        }
      }
      default -> {
        // Whatever its owner makes of it.
      }
    }
  }

  private static void json(Place entry) {
    if (!entry.isThere()) {
      entry.required();
      return;
    }
    try {
      var _ = Json.parseObject(Base64.getDecoder().decode(entry.text()));
    } catch (JsonException | IllegalArgumentException e) {
      entry.invalid(REDACTED, "must be a JSON object");
    }
  }

  @Override
  public void validateUpdate(ObjectNode secret, ObjectNode old, Problems problems) {
    Place whole = Place.of(secret, problems);
    whole.at("type").immutable(old.path("type"));
    DataEntries.validateImmutable(whole, old, List.of("data"));
  }
}

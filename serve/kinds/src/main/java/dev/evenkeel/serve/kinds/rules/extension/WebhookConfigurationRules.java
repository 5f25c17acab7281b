package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Configurations of webhooks, validating and mutating. */
public final class WebhookConfigurationRules implements KindRules {

  private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
  private static final List<String> VERSIONS = List.of("v1", "v1beta1");

  @Override
  public void validate(ObjectNode configuration, Problems problems) {
    Set<String> names = new HashSet<>();
    for (Place hook : Place.of(configuration, problems).at("webhooks").items()) {
      Place name = hook.at("name");
      if (name.isEmpty()) {
        name.required();
      } else {
        name.invalid(Names.qualifiedDomain(name.text(), 3));
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
      hook.at("rules").items().forEach(WebhookConfigurationRules::rule);
      sideEffects(hook.at("sideEffects"));
      Place timeout = hook.at("timeoutSeconds");
      if (timeout.isThere() && (timeout.number() < 1 || timeout.number() > 30)) {
        timeout.invalid("the timeout value must be between 1 and 30 seconds");
      }
      Selectors.validate(hook.at("namespaceSelector"));
      Selectors.validate(hook.at("objectSelector"));
      MatchConditions.validateAndCompile(hook.at("matchConditions"));
      client(hook.at("clientConfig"));
      versions(hook.at("admissionReviewVersions"));
    }
  }

  @Override
  public List<String> warnings(ObjectNode configuration) {
    return WebhookReach.warnings(configuration);
  }

  private static void sideEffects(Place effects) {
    if (!effects.isThere()) {
      effects.required("must specify one of " + String.join(", ", SIDE_EFFECTS));
    }
  }

  private static void versions(Place versions) {
    if (versions.isEmpty()) {
      versions.required("must specify one of " + String.join(", ", VERSIONS));
    } else {
      givenVersions(versions);
    }
  }

  private static void givenVersions(Place versions) {
    Set<String> seen = new HashSet<>();
    for (Place version : versions.items()) {
      if (!seen.add(version.text())) {
        version.invalid("duplicate version");
      } else {
        version.invalid(Names.dns1035Label(version.text()));
      }
    }
    if (VERSIONS.stream().noneMatch(seen::contains)) {
      versions.invalid("must include at least one of " + String.join(", ", VERSIONS));
    }
  }

  /** Who converts custom objects; upstream tells of it by the names of an older version. */
  static void converter(Place conversion) {
    Place webhook = conversion.at("webhook");
    Place client =
        Place.of(
            conversion + ".webhookClientConfig",
            webhook.at("clientConfig").node(),
            conversion.problems());
    if (client.isThere()) {
      client(client);
    } else {
      client.required("required when strategy is set to Webhook");
    }
    Place versions =
        Place.of(
            conversion + ".conversionReviewVersions",
            webhook.at("conversionReviewVersions").node(),
            conversion.problems());
    if (versions.isEmpty()) {
      versions.required();
    } else {
      givenVersions(versions);
    }
  }

  /** How the webhook is reached: by URL or by service. */
  static void client(Place client) {
    Place url = client.at("url");
    Place service = client.at("service");
    if (url.isThere() == service.isThere()) {
      client.required("exactly one of url or service is required");
    } else if (url.isThere()) {
      url(url);
    } else {
      for (String field : List.of("name", "namespace")) {
        if (service.at(field).isEmpty()) {
          service.at(field).required("service " + field + " is required");
        }
      }
      Place port = service.at("port");
      if (port.isThere() && (port.number() < 1 || port.number() > 65535)) {
        port.invalid("port is not valid: must be between 1 and 65535, inclusive");
      }
      if (!service.at("path").isEmpty() && !service.at("path").text().startsWith("/")) {
        service.at("path").invalid("must start with a '/'");
      }
    }
  }

  private static void url(Place place) {
    String form = "; desired format: https://host[/path]";
    try {
      var url = new URI(place.text());
      if (!"https".equals(url.getScheme())) {
        place.invalid(
            Objects.requireNonNullElse(url.getScheme(), ""),
            "'https' is the only allowed URL scheme" + form);
      }
      if (url.getHost() == null) {
        place.invalid("", "host must be specified" + form);
      }
      if (url.getUserInfo() != null) {
        place.invalid(url.getRawUserInfo(), "user information is not permitted in the URL");
      }
      if (url.getFragment() != null) {
        place.invalid(url.getFragment(), "fragments are not permitted in the URL");
      }
      if (url.getQuery() != null) {
        place.invalid(url.getRawQuery(), "query parameters are not permitted in the URL");
      }
    } catch (URISyntaxException e) {
      place.required("url must be a valid URL: " + e.getReason() + form);
    }
  }

  /** Which writes a webhook or a policy is about. */
  static void rule(Place rule) {
    Place operations = rule.at("operations");
    alone(operations, "*", "operations");
    alone(rule.at("apiGroups"), "*", "API groups");
    alone(rule.at("apiVersions"), "*", "API versions");
    alone(rule.at("resources"), "*/*", "resources");
    resources(rule.at("resources"));
  }

  private static void alone(Place list, String wildcard, String what) {
    if (list.size() > 1 && list.strings().contains(wildcard)) {
      list.invalid("if '" + wildcard + "' is present, must not specify other " + what);
    }
  }

  private static void resources(Place resources) {
    List<String> all = resources.strings();
    boolean plain = all.stream().anyMatch(r -> !r.equals("*") && r.indexOf('/') < 0);
    if (all.contains("*") && plain) {
      resources.invalid("if '*' is present, must not specify other resources without subresources");
    }
    for (Place resource : resources.items()) {
      if (resource.isEmpty()) {
        resource.required();
      }
      int slash = resource.text().indexOf('/');
      if (slash < 0) {
        continue;
      }
      String parent = resource.text().substring(0, slash);
      String child = resource.text().substring(slash + 1);
      if (!child.equals("*") && all.contains(parent + "/*")) {
        resource.invalid("if '" + parent + "/*' is present, must not specify " + resource.text());
      }
      if (!parent.equals("*") && all.contains("*/" + child) && !child.equals("*")) {
        resource.invalid("if '*/" + child + "' is present, must not specify " + resource.text());
      }
    }
  }
}

package dev.evenkeel.serve.kinds.rules.access;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests for certificates. Who asks is written by the registry; signatures are not checked here.
 */
public final class CertificateSigningRequestRules implements KindRules {

  private static final List<String> USAGES =
      List.of(
          "any",
          "cert sign",
          "client auth",
          "code signing",
          "content commitment",
          "crl sign",
          "data encipherment",
          "decipher only",
          "digital signature",
          "email protection",
          "encipher only",
          "ipsec end system",
          "ipsec tunnel",
          "ipsec user",
          "key agreement",
          "key encipherment",
          "microsoft sgc",
          "netscape sgc",
          "ocsp signing",
          "s/mime",
          "server auth",
          "signing",
          "timestamping");

  private static final List<String> DECISIONS = List.of("Approved", "Denied");
  private static final List<String> FINAL = List.of("Approved", "Denied", "Failed");
  private static final long SECONDS_MIN = 600;
  private static final String BEGIN = "-----BEGIN CERTIFICATE REQUEST-----";
  private static final String BEGIN_NEW = "-----BEGIN NEW CERTIFICATE REQUEST-----";
  private static final String BEGIN_CERTIFICATE = "-----BEGIN CERTIFICATE-----";

  @Override
  public void prepareForCaller(ObjectNode request, String user, List<String> groups) {
    if (request.get("spec") instanceof ObjectNode spec) {
      spec.put("username", user);
      groups.forEach(spec.putArray("groups")::add);
      spec.remove("uid");
      spec.remove("extra");
    }
  }

  @Override
  public NameRule nameRule() {
    return NameRule.PATH_SEGMENT;
  }

  @Override
  public void prepareForCreate(ObjectNode request) {
    request.putObject("status");
  }

  /** What is asked for, and by whom, never changes. */
  @Override
  public void prepareForUpdate(ObjectNode request, ObjectNode old) {
    if (old.has("spec")) {
      request.set("spec", old.get("spec"));
    }
    request.remove("status");
    if (old.has("status")) {
      request.set("status", old.get("status"));
    }
  }

  @Override
  public void validate(ObjectNode request, Problems problems) {
    Place spec = Place.of(request, problems).at("spec");
    if (!isPem(spec.at("request").text())) {
      spec.at("request").invalid("PEM block type must be CERTIFICATE REQUEST");
    }
    usages(spec.at("usages"));
    signer(spec.at("signerName"));
    Place seconds = spec.at("expirationSeconds");
    if (seconds.isThere() && seconds.number() < SECONDS_MIN) {
      seconds.invalid("may not specify a duration less than 600 seconds (10 minutes)");
    }
    conditions(Place.of(request, problems).at("status", "conditions"));
  }

  private static boolean isPem(String base64) {
    return holds(base64, BEGIN) || holds(base64, BEGIN_NEW);
  }

  private static boolean holds(String base64, String beginning) {
    try {
      byte[] text = Base64.getMimeDecoder().decode(base64);
      return new String(text, StandardCharsets.US_ASCII).contains(beginning);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void usages(Place usages) {
    Set<String> seen = new HashSet<>();
    for (Place usage : usages.items()) {
      usage.oneOf(USAGES);
      if (!seen.add(usage.text())) {
        usage.duplicate();
      }
    }
  }

  private static void signer(Place signer) {
    if (signer.isEmpty()) {
      signer.required();
      return;
    }
    if (signer.is("kubernetes.io/legacy-unknown")) {
      signer.invalid("the legacy signerName is not allowed via this API version");
      return;
    }
    int slash = signer.text().indexOf('/');
    if (slash < 0 || signer.text().indexOf('/', slash + 1) >= 0) {
      signer.invalid(
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
      return;
    }
    for (String fault : Names.qualifiedDomain(signer.text().substring(0, slash), 2)) {
      signer.invalid(signer.text().substring(0, slash), fault);
    }
    for (String fault : Names.dnsSubdomain(signer.text().substring(slash + 1))) {
      signer.invalid(signer.text().substring(slash + 1), fault);
    }
  }

  private static void conditions(Place conditions) {
    Set<String> seen = new HashSet<>();
    for (Place condition : conditions.items()) {
      Place type = condition.at("type");
      if (type.isEmpty()) {
        type.required();
      }
      Place status = condition.at("status");
      if (status.isEmpty()) {
        status.required();
      } else {
        status.oneOf(
            FINAL.contains(type.text()) ? List.of("True") : List.of("False", "True", "Unknown"));
      }
      if (!seen.add(type.text())) {
        type.duplicate();
      }
      if (DECISIONS.contains(type.text()) && seen.containsAll(DECISIONS)) {
        conditions
            .holding(type.node())
            .invalid("Approved and Denied conditions are mutually exclusive");
      }
    }
  }

  /** Whoever decides need not say when: a condition that is as it was keeps its time. */
  @Override
  public void prepareForStatusUpdate(ObjectNode request, ObjectNode old, String now) {
    if (!request.has("status")) {
      return;
    }
    // It may be the old one's.
    request.set("status", request.path("status").deepCopy());
    for (JsonNode each : Meta.at(request, "status", "conditions")) {
      if (!(each instanceof ObjectNode condition)) {
        continue;
      }
      if (Meta.text(condition.path("lastUpdateTime")).isEmpty()) {
        condition.put("lastUpdateTime", now);
      }
      if (Meta.text(condition.path("lastTransitionTime")).isEmpty()) {
        condition.put("lastTransitionTime", lastTransition(condition, old, now));
      }
    }
  }

  private static String lastTransition(ObjectNode condition, ObjectNode old, String now) {
    for (JsonNode before : ofType(old, Meta.text(condition.path("type")))) {
      String time = Meta.text(before.path("lastTransitionTime"));
      if (!time.isEmpty() && before.path("status").equals(condition.path("status"))) {
        return time;
      }
    }
    return now;
  }

  /** Signing is one thing, deciding another: neither may do the other's work. */
  @Override
  public void validateStatusUpdate(ObjectNode request, ObjectNode old, Problems problems) {
    Place status = Place.of(request, problems).at("status");
    conditions(status.at("conditions"));
    nothingRemoved(status, request, old);
    for (String type : DECISIONS) {
      List<JsonNode> now = ofType(request, type);
      List<JsonNode> before = ofType(old, type);
      if (now.size() > before.size()) {
        status
            .at("conditions")
            .forbidden("updates may not add a condition of type \"" + type + "\"");
      } else if (now.size() == before.size() && !same(now, before)) {
        status
            .at("conditions")
            .forbidden("updates may not modify a condition of type \"" + type + "\"");
      }
    }
    Place issued = status.at("certificate");
    if (!issued.isEmpty() && !holds(issued.text(), BEGIN_CERTIFICATE)) {
      issued.invalid("<certificate data>", "must contain at least one CERTIFICATE PEM block");
    }
    String certificate = Meta.text(Meta.at(old, "status", "certificate"));
    if (!certificate.isEmpty() && !status.at("certificate").is(certificate)) {
      status.at("certificate").forbidden("updates may not modify existing certificate content");
    }
  }

  @Override
  public void validateSubresourceUpdate(
      String subresource, ObjectNode request, ObjectNode old, Problems problems) {
    if (subresource.equals("approval")) {
      Place status = Place.of(request, problems).at("status");
      conditions(status.at("conditions"));
      nothingRemoved(status, request, old);
      if (!status
          .at("certificate")
          .text()
          .equals(Meta.text(Meta.at(old, "status", "certificate")))) {
        status.at("certificate").forbidden("updates may not set certificate content");
      }
    }
  }

  private static void nothingRemoved(Place status, ObjectNode request, ObjectNode old) {
    for (String type : FINAL) {
      if (ofType(request, type).size() < ofType(old, type).size()) {
        status
            .at("conditions")
            .forbidden("updates may not remove a condition of type \"" + type + "\"");
      }
    }
  }

  private static boolean same(List<JsonNode> one, List<JsonNode> other) {
    for (int i = 0; i < one.size(); i++) {
      if (!Same.same(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static List<JsonNode> ofType(ObjectNode request, String type) {
    List<JsonNode> conditions = new ArrayList<>();
    for (JsonNode condition : Meta.at(request, "status", "conditions")) {
      if (Meta.text(condition.path("type")).equals(type)) {
        conditions.add(condition);
      }
    }
    return conditions;
  }
}

package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.container.ContainersValidation;
import dev.evenkeel.serve.kinds.rules.container.ResourceValidation;
import dev.evenkeel.serve.kinds.rules.container.SecurityValidation;
import dev.evenkeel.serve.kinds.rules.container.VolumeValidation;
import dev.evenkeel.serve.kinds.rules.container.Volumes;
import dev.evenkeel.serve.kinds.rules.placement.AffinityValidation;
import dev.evenkeel.serve.kinds.rules.placement.TolerationValidation;
import dev.evenkeel.serve.kinds.rules.placement.TopologyValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with a pod's spec. Owned by the one call that made it. */
final class PodSpecValidation {

  private static final int NAMESERVERS_MAX = 3;
  private static final int SEARCHES_MAX = 32;
  private static final int SEARCH_CHARS_MAX = 2048;
  private static final int HOSTNAME_OVERRIDE_LENGTH_MAX = 64;

  /**
   * Where the spec stands.
   *
   * @param ofPod whether it is a pod's own, not a template's
   * @param claimVolumes volumes that the pod's controller will add
   */
  record Options(boolean ofPod, Set<String> claimVolumes) {
    static final Options POD = new Options(true, Set.of());

    Options {
      claimVolumes = Set.copyOf(claimVolumes);
    }
  }

  private final Place spec;
  private final Options options;

  PodSpecValidation(Place spec, Options options) {
    this.spec = spec;
    this.options = options;
  }

  void run() {
    Volumes volumes = VolumeValidation.validate(spec.at("volumes"), options.claimVolumes());
    Set<String> claims = resourceClaims(spec.at("resourceClaims"));
    new ContainersValidation(spec, volumes, claims).run();
    hostPorts();
    SecurityValidation.validatePod(spec);
    AffinityValidation.validate(spec.at("affinity"));
    dns();
    gates();
    TopologyValidation.validate(spec.at("topologySpreadConstraints"));
    hostUsers();
    hostname();
    TolerationValidation.validate(spec.at("tolerations"));
    hostAliases();
    ResourceValidation.overhead(spec.at("overhead"));
    ResourceValidation.ofPod(spec);
    if (spec.at("os", "name").is("linux")) {
      noWindowsOptions();
    } else if (spec.at("os", "name").is("windows")) {
      WindowsValidation.validate(spec);
    }
  }

  private static Set<String> resourceClaims(Place claims) {
    Set<String> names = new HashSet<>();
    for (Place claim : claims.items()) {
      Place name = claim.at("name");
      if (!name.isEmpty() && !names.add(name.text())) {
        name.duplicate();
      } else {
        name.invalid(Names.dnsLabel(name.text()));
      }
      boolean byName = claim.at("resourceClaimName").isThere();
      boolean byTemplate = claim.at("resourceClaimTemplateName").isThere();
      if (byName && byTemplate) {
        claim.invalid(
            "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
      } else if (!byName && !byTemplate) {
        claim.invalid("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
      }
    }
    return names;
  }

  /** On the host's network a container's port is the host's. */
  private void hostPorts() {
    if (!spec.at("hostNetwork").flag()) {
      return;
    }
    for (Place container : spec.at("containers").items()) {
      for (Place port : container.at("ports").items()) {
        long hostPort = port.at("hostPort").number();
        boolean meant = options.ofPod() || hostPort != 0;
        if (meant && hostPort != port.at("containerPort").number()) {
          port.at("hostPort").invalid("must match `containerPort` when `hostNetwork` is true");
        }
      }
    }
  }

  private void dns() {
    Place config = spec.at("dnsConfig");
    if (spec.at("dnsPolicy").is("None")) {
      if (!config.isThere()) {
        config.required("must provide `dnsConfig` when `dnsPolicy` is None");
        return;
      }
      if (config.at("nameservers").isEmpty()) {
        config
            .at("nameservers")
            .required("must provide at least one DNS nameserver when `dnsPolicy` is None");
        return;
      }
    }
    Place servers = config.at("nameservers");
    if (servers.size() > NAMESERVERS_MAX) {
      servers.invalid("must not have more than " + NAMESERVERS_MAX + " nameservers");
    }
    servers.items().forEach(Addresses::ip);
    Place searches = config.at("searches");
    if (searches.size() > SEARCHES_MAX) {
      searches.invalid("must not have more than " + SEARCHES_MAX + " search paths");
    }
    if (String.join(" ", searches.strings()).length() > SEARCH_CHARS_MAX) {
      searches.invalid(
          "must not have more than "
              + SEARCH_CHARS_MAX
              + " characters (including spaces) in the search list");
    }
    searches.items().forEach(PodSpecValidation::search);
    for (Place option : config.at("options").items()) {
      if (option.at("name").isEmpty()) {
        option.required("must not be empty");
      }
    }
  }

  /** Underscores are no names of hosts, but resolvers search for them. */
  private static void search(Place search) {
    String text = search.text();
    if (text.equals(".")) {
      return;
    }
    String domain = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    for (String fault : Names.dnsSubdomain(domain.replace('_', 'x'))) {
      search.invalid(domain, fault);
    }
  }

  private void gates() {
    Set<String> seen = new HashSet<>();
    for (Place gate : spec.at("schedulingGates").items()) {
      String name = gate.at("name").text();
      for (String fault : Names.qualifiedName(name)) {
        gate.invalid(name, fault);
      }
      if (!seen.add(name)) {
        gate.holding(gate.at("name").node()).duplicate();
      }
    }
  }

  private void hostUsers() {
    if (!spec.at("hostUsers").isThere() || spec.at("hostUsers").flag()) {
      return;
    }
    for (String shared : List.of("hostNetwork", "hostPID", "hostIPC")) {
      if (spec.at(shared).flag()) {
        // Upstream writes two of them with a capital letter.
        String word = shared.equals("hostNetwork") ? shared : "H" + shared.substring(1);
        spec.at(word).forbidden("when `hostUsers` is false");
      }
    }
  }

  private void hostname() {
    Place override = spec.at("hostnameOverride");
    if (override.isThere()) {
      if (spec.at("setHostnameAsFQDN").flag()) {
        override.forbidden("may not be specified when setHostnameAsFQDN is true");
      }
      if (spec.at("hostNetwork").flag()) {
        override.forbidden("may not be specified when hostNetwork is true");
      }
      if (override.text().length() > HOSTNAME_OVERRIDE_LENGTH_MAX) {
        override.tooLong(HOSTNAME_OVERRIDE_LENGTH_MAX);
      }
      override.invalid(Names.dnsSubdomain(override.text()));
    }
  }

  private void hostAliases() {
    for (Place alias : spec.at("hostAliases").items()) {
      Addresses.ip(alias.at("ip"));
      for (Place name : alias.at("hostnames").items()) {
        name.invalid(Names.dnsSubdomain(name.text()));
      }
    }
  }

  private void noWindowsOptions() {
    String detail = "windows options cannot be set for a linux pod";
    if (spec.at("securityContext", "windowsOptions").isThere()) {
      spec.at("securityContext", "windowsOptions").forbidden(detail);
    }
    for (String list : ContainersValidation.LISTS) {
      for (Place container : spec.at(list).items()) {
        Place windows = container.at("securityContext", "windowsOptions");
        if (windows.isThere()) {
          windows.forbidden(detail);
        }
      }
    }
  }
}

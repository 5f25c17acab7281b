package dev.evenkeel.serve.kinds.rules.container;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Paths;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.storage.ClaimSpecs;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The volumes of a pod. */
public final class VolumeValidation {

  private static final String FILE_MODE =
      "must be a number between 0 and 0777 (octal), both inclusive";
  private static final int FILE_MODE_MAX = 0777;
  private static final long TOKEN_SECONDS_MIN = 600;
  private static final long TOKEN_SECONDS_MAX = 1L << 32;

  private VolumeValidation() {}

  /**
   * @param claimVolumes volumes that will be added as claims
   * @return what containers may mount: volumes with faults are not among them
   */
  public static Volumes validate(Place volumes, Set<String> claimVolumes) {
    Set<String> names = new HashSet<>(claimVolumes);
    Set<String> claims = new HashSet<>(claimVolumes);
    Set<String> scratch = new HashSet<>();
    Set<String> seen = new HashSet<>();
    for (Place volume : volumes.items()) {
      int before = volume.problems().count();
      boolean wellFormed = false;
      Place name = volume.at("name");
      source(volume);
      if (!name.isEmpty()) {
        wellFormed = Names.dnsLabel(name.text()).isEmpty();
        if (!seen.add(name.text())) {
          name.duplicate();
        }
      }
      if (wellFormed && volume.problems().count() == before) {
        names.add(name.text());
        if (volume.at("persistentVolumeClaim").isThere() || volume.at("ephemeral").isThere()) {
          claims.add(name.text());
        }
        if (volume.at("emptyDir").isThere()) {
          scratch.add(name.text());
        }
      }
    }
    return new Volumes(names, claims, scratch);
  }

  private static void source(Place volume) {
    boolean found = false;
    for (String kind : volume.node().propertyNames()) {
      Place source = volume.at(kind);
      if (kind.equals("name") || !source.isThere()) {
        continue;
      }
      if (found) {
        source.forbidden("may not specify more than 1 volume type");
      } else {
        found = true;
        source(kind, source);
      }
    }
    if (!found) {
      volume.required("must specify a volume type");
    }
  }

  private static void source(String kind, Place source) {
    switch (kind) {
      case "emptyDir" -> {
        Quantity limit = Quantity.tryRead(source.at("sizeLimit").node());
        if (limit != null && limit.signum() < 0) {
          source.at("sizeLimit").forbidden("SizeLimit field must be a valid resource quantity");
        }
      }
      case "hostPath" -> Paths.noBacksteps(source.at("path"));
      case "gitRepo" -> Paths.descending(source.at("directory"));
      case "secret", "configMap" -> keysToPaths(source);
      case "downwardAPI" -> {
        fileMode(source.at("defaultMode"));
        source.at("items").items().forEach(file -> downwardFile(source, file));
      }
      case "projected" -> {
        fileMode(source.at("defaultMode"));
        new Projection(source).run();
      }
      case "nfs" -> {
        if (!source.at("path").text().startsWith("/")) {
          source.at("path").invalid("must be an absolute path");
        }
      }
      case "csi" -> csi(source);
      case "ephemeral" -> ephemeral(source.at("volumeClaimTemplate"));
      default -> {
        // The others have nothing that the schema could not say.
      }
    }
  }

  private static void require(Place field) {
    if (field.isEmpty()) {
      field.required();
    }
  }

  private static void fileMode(Place mode) {
    if (mode.isThere() && (mode.number() < 0 || mode.number() > FILE_MODE_MAX)) {
      mode.invalid(FILE_MODE);
    }
  }

  private static void keysToPaths(Place source) {
    fileMode(source.at("defaultMode"));
    for (Place item : source.at("items").items()) {
      Paths.notReserved(item.at("path"));
      fileMode(item.at("mode"));
    }
  }

  /** Faults of a file are told of the volume that holds it: so does upstream. */
  private static void downwardFile(Place source, Place file) {
    Paths.notReserved(source.at("path").holding(file.at("path").node()));
    Place field = file.at("fieldRef");
    Place resource = file.at("resourceFieldRef");
    if (field.isThere()) {
      EnvironmentValidation.fieldReference(
          source.at("fieldRef").holding(field.node()), EnvironmentValidation.FILE_FIELDS);
      if (resource.isThere()) {
        source.invalid(
            "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (resource.isThere()) {
      EnvironmentValidation.resourceReference(
          source.at("resourceFieldRef").holding(resource.node()), true);
    } else {
      source.required("one of fieldRef and resourceFieldRef is required");
    }
    fileMode(source.at("mode").holding(file.at("mode").node()));
  }

  private static void csi(Place source) {
    Place driver = source.at("driver");
    if (!driver.isEmpty()) {
      driver.invalid(Names.csiDriver(driver.text()));
    }
    Place secret = source.at("nodePublishSecretRef");
    if (secret.isThere()) {
      require(secret.at("name"));
    }
  }

  private static void ephemeral(Place template) {
    if (!template.isThere()) {
      template.required();
      return;
    }
    for (String field : template.at("metadata").node().propertyNames()) {
      Place value = template.at("metadata", field);
      if (!field.equals("labels") && !field.equals("annotations") && !value.isEmpty()) {
        value.forbidden("cannot be set");
      }
    }
    ClaimSpecs.validate(template.at("spec"));
  }

  /** Several sources in one folder. Owned by the one call that made it. */
  private static final class Projection {

    private final Place volume;
    private final Set<String> paths = new HashSet<>();

    Projection(Place volume) {
      this.volume = volume;
    }

    void run() {
      for (Place source : volume.at("sources").items()) {
        int kinds = 0;
        for (String kind : source.node().propertyNames()) {
          if (source.at(kind).isThere()) {
            kinds++;
            source(kind, source.at(kind));
          }
        }
        if (kinds > 1) {
          source.forbidden("may not specify more than 1 volume type per source");
        }
      }
    }

    private void source(String kind, Place source) {
      switch (kind) {
        case "secret", "configMap" -> {
          keysToPaths(source);
          for (Place item : source.at("items").items()) {
            once(item.at("path").text(), source.at("name").text());
          }
        }
        case "downwardAPI" -> {
          for (Place file : source.at("items").items()) {
            downwardFile(source, file);
            once(file.at("path").text(), file.at("path").text());
          }
        }
        case "serviceAccountToken" -> token(source);
        case "clusterTrustBundle" -> {
          Paths.notReserved(source.at("path"));
          once(source.at("path").text(), source.at("path").text());
        }
        default -> {
          for (String path : List.of("credentialBundlePath", "keyPath", "certificateChainPath")) {
            Paths.notReserved(source.at(path));
            once(source.at(path).text(), source.at(path).text());
          }
        }
      }
    }

    private void once(String path, String shown) {
      if (!path.isEmpty() && !paths.add(path)) {
        volume.invalid(shown, "conflicting duplicate paths");
      }
    }

    private void token(Place source) {
      Place seconds = source.at("expirationSeconds");
      if (seconds.number(TOKEN_SECONDS_MIN) < TOKEN_SECONDS_MIN) {
        seconds.invalid("may not specify a duration less than 10 minutes");
      }
      if (seconds.number() > TOKEN_SECONDS_MAX) {
        seconds.invalid("may not specify a duration larger than 2^32 seconds");
      }
      Paths.notReserved(volume.at("path").holding(source.at("path").node()));
    }
  }
}

package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.quantity.Quantity;
import java.math.RoundingMode;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Claims of storage, in all and by class. */
record ClaimEvaluator() implements Evaluator {

  private static final String COUNT = "count/persistentvolumeclaims";
  private static final String CLAIMS = "persistentvolumeclaims";
  private static final String STORAGE = "requests.storage";
  private static final String BY_CLASS = ".storageclass.storage.k8s.io/";
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  @Override
  public String group() {
    return "";
  }

  @Override
  public String plural() {
    return CLAIMS;
  }

  @Override
  public boolean tracks(String resource) {
    return resource.equals(COUNT)
        || resource.equals(CLAIMS)
        || resource.equals(STORAGE)
        || resource.endsWith(BY_CLASS + CLAIMS)
        || resource.endsWith(BY_CLASS + STORAGE);
  }

  @Override
  public Amounts usage(JsonNode claim) {
    var amounts = new TreeMap<String, Quantity>();
    amounts.put(COUNT, Amounts.ONE);
    amounts.put(CLAIMS, Amounts.ONE);
    String storageClass = storageClass(claim);
    if (!storageClass.isEmpty()) {
      amounts.put(storageClass + BY_CLASS + CLAIMS, Amounts.ONE);
    }
    Quantity storage = storage(claim);
    if (storage != null) {
      amounts.put(STORAGE, storage);
      if (!storageClass.isEmpty()) {
        amounts.put(storageClass + BY_CLASS + STORAGE, storage);
      }
    }
    return new Amounts(amounts);
  }

  private static String storageClass(JsonNode claim) {
    String older = Meta.text(claim.path("metadata").path("annotations").path(CLASS_ANNOTATION));
    return older.isEmpty() ? Meta.text(claim.path("spec").path("storageClassName")) : older;
  }

  /** What is asked for; what was given already, while a smaller request waits to be honoured. */
  private static @Nullable Quantity storage(JsonNode claim) {
    Quantity wanted =
        Quantity.tryRead(claim.path("spec").path("resources").path("requests").path("storage"));
    Quantity given =
        Quantity.tryRead(claim.path("status").path("allocatedResources").path("storage"));
    if (wanted == null) {
      return null;
    }
    return wholeBytes(given == null ? wanted : wanted.max(given));
  }

  private static Quantity wholeBytes(Quantity amount) {
    return amount.isWhole()
        ? amount
        : Quantity.parse(amount.value().setScale(0, RoundingMode.UP).toPlainString());
  }

  @Override
  public boolean isIn(ScopeRequirement scope, JsonNode claim) {
    if (!scope.scope().equals("VolumeAttributesClass")) {
      return false;
    }
    Set<String> names = new TreeSet<>();
    JsonNode status = claim.path("status");
    names.add(Meta.text(claim.path("spec").path("volumeAttributesClassName")));
    names.add(Meta.text(status.path("currentVolumeAttributesClassName")));
    names.add(Meta.text(status.path("modifyVolumeStatus").path("targetVolumeAttributesClassName")));
    names.remove("");
    return scope.holdsFor(names);
  }
}

package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Interest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.CachedObject;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Every pod runs as an account of its namespace, and finds that account's token where it looks. */
final class ServiceAccounts implements AdmissionPlugin {

  private static final Resource ACCOUNTS = Resource.core("serviceaccounts");
  private static final String DEFAULT_ACCOUNT = "default";
  private static final String VOLUME = "kube-api-access-";
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int SUFFIX_CHARS = 5;
  private static final String MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final String MIRROR = "kubernetes.io/config.mirror";

  /** An hour and a bit, as upstream has it: clients that read the token once still work. */
  private static final long TOKEN_SECONDS = 3607;

  private static final long FILE_MODE = 0644;

  private static final List<String> CONTAINER_LISTS = List.of("initContainers", "containers");

  @Override
  public String name() {
    return "ServiceAccount";
  }

  @Override
  public List<Interest> mutates() {
    return List.of(Interest.in(Resource.core("pods"), Operation.CREATE));
  }

  @Override
  public Set<Resource> reads() {
    return Set.of(ACCOUNTS);
  }

  @Override
  public void mutate(AdmissionRequest request) {
    ObjectNode spec = request.spec();
    if (request.wanted().path("metadata").path("annotations").has(MIRROR)) {
      if (!Meta.text(spec.path("serviceAccountName")).isEmpty()) {
        throw request.forbidden("a mirror pod may not reference service accounts");
      }
      return;
    }
    String name = Meta.text(spec.path("serviceAccountName"));
    if (name.isEmpty()) {
      name = DEFAULT_ACCOUNT;
      spec.put("serviceAccountName", name).put("serviceAccount", name);
    }
    CachedObject found = request.views().of(ACCOUNTS).get(request.namespace() + "/" + name);
    if (found == null) {
      throw request.forbidden(
          "error looking up service account %1$s/%2$s: serviceaccount \"%2$s\" not found"
              .formatted(request.namespace(), name));
    }
    ObjectNode account = Json.parseObject(found.json());
    if (wantsToken(spec, account)) {
      mountToken(spec);
    }
    if (spec.path("imagePullSecrets").isEmpty() && !account.path("imagePullSecrets").isEmpty()) {
      ArrayNode secrets = spec.putArray("imagePullSecrets");
      for (JsonNode secret : account.path("imagePullSecrets")) {
        secrets.addObject().put("name", Meta.text(secret.path("name")));
      }
    }
  }

  /** The pod's word counts before its account's. */
  private static boolean wantsToken(ObjectNode spec, ObjectNode account) {
    JsonNode said = spec.path("automountServiceAccountToken");
    return said.isBoolean()
        ? said.booleanValue()
        : account.path("automountServiceAccountToken").asBoolean(true);
  }

  private void mountToken(ObjectNode spec) {
    String volume = "";
    for (JsonNode known : spec.path("volumes")) {
      if (Meta.text(known.path("name")).startsWith(VOLUME)) {
        volume = Meta.text(known.path("name"));
        break;
      }
    }
    boolean isThere = !volume.isEmpty();
    if (!isThere) {
      volume = VOLUME + suffix(spec.hashCode());
    }
    boolean needed = false;
    for (String list : CONTAINER_LISTS) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object && !mountsOwn(object)) {
          array(object, "volumeMounts")
              .addObject()
              .put("name", volume)
              .put("readOnly", true)
              .put("mountPath", MOUNT_PATH);
          needed = true;
        }
      }
    }
    if (needed && !isThere) {
      addVolume(array(spec, "volumes").addObject().put("name", volume));
    }
  }

  /**
   * Has to differ from the names of other volumes of the pod only. Pods that are alike get the
   * same: what is found out about one holds for the next.
   */
  private static String suffix(int hash) {
    var suffix = new StringBuilder(SUFFIX_CHARS);
    int left = hash & Integer.MAX_VALUE;
    for (int i = 0; i < SUFFIX_CHARS; i++) {
      suffix.append(LETTERS.charAt(left % LETTERS.length()));
      left /= LETTERS.length();
    }
    return suffix.toString();
  }

  private static boolean mountsOwn(ObjectNode container) {
    for (JsonNode mount : container.path("volumeMounts")) {
      if (Meta.text(mount.path("mountPath")).equals(MOUNT_PATH)) {
        return true;
      }
    }
    return false;
  }

  private static void addVolume(ObjectNode volume) {
    ObjectNode projected = volume.putObject("projected");
    ArrayNode sources = projected.putArray("sources");
    sources
        .addObject()
        .putObject("serviceAccountToken")
        .put("expirationSeconds", TOKEN_SECONDS)
        .put("path", "token");
    ObjectNode authority = sources.addObject().putObject("configMap");
    authority.put("name", "kube-root-ca.crt");
    authority.putArray("items").addObject().put("key", "ca.crt").put("path", "ca.crt");
    ObjectNode namespace =
        sources.addObject().putObject("downwardAPI").putArray("items").addObject();
    namespace.put("path", "namespace");
    namespace.putObject("fieldRef").put("apiVersion", "v1").put("fieldPath", "metadata.namespace");
    projected.put("defaultMode", FILE_MODE);
  }

  private static ArrayNode array(ObjectNode object, String field) {
    return object.get(field) instanceof ArrayNode known ? known : object.putArray(field);
  }
}

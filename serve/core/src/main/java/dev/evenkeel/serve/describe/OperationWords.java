package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Gvk;

/**
 * The words that the names of operations are made of: clients are generated from them.
 *
 * @param gvk what is read or written
 * @param noun the kind that the path is about
 * @param namespaced whether the path names a namespace
 */
record OperationWords(Gvk group, Gvk gvk, String noun, boolean namespaced) {

  private static final String OURS = ".k8s.io";

  OperationWords(Gvk gvk, String noun, boolean namespaced) {
    this(gvk, gvk, noun, namespaced);
  }

  /** The same path, where another kind is read and written. */
  OperationWords of(Gvk other) {
    return new OperationWords(group, other, noun, namespaced);
  }

  /** {@code listCoreV1NamespacedPod}, {@code patchAppsV1NamespacedDeploymentScale}. */
  String id(String verb, String what, String suffix) {
    return verb + groupVersion() + what + (namespaced ? "Namespaced" : "") + noun + suffix;
  }

  /** {@code AppsV1} */
  String groupVersion() {
    return capital(groupWord()) + capital(group.version());
  }

  /** {@code apps_v1} */
  String tag() {
    return groupWord() + "_" + group.version();
  }

  /** {@code rbac.authorization.k8s.io} → {@code rbacAuthorization}. */
  String groupWord() {
    String name = group.group();
    if (name.isEmpty()) {
      return "core";
    }
    String own = name.endsWith(OURS) ? name.substring(0, name.length() - OURS.length()) : name;
    var word = new StringBuilder();
    for (String part : own.split("[.-]", -1)) {
      word.append(word.isEmpty() ? part : capital(part));
    }
    return word.toString();
  }

  static String capital(String word) {
    return word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}

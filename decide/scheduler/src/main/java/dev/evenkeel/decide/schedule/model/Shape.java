package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.fit.Demand;
import java.util.List;

/**
 * What of a pod decides whether and how well a node suits it, seen from each node by itself. Pods
 * of one shape can share that work, whatever they are called and labeled.
 *
 * @param demand what it takes
 * @param scoredCpuMillis what it counts for in scores: containers that ask for nothing count for
 *     something there
 * @param scoredMemoryBytes the same of memory
 * @param nodeName the one node it must go to; empty if it is free
 * @param selection the nodes it may go to
 * @param preferred the nodes it would rather go to
 * @param images of all its containers, with their tag
 * @param claims as {@code namespace/name}
 */
public record Shape(
    Demand demand,
    long scoredCpuMillis,
    long scoredMemoryBytes,
    String nodeName,
    NodeSelection selection,
    List<NodeSelection.Preferred> preferred,
    List<Toleration> tolerations,
    List<String> images,
    List<String> claims) {

  public Shape {
    preferred = List.copyOf(preferred);
    tolerations = List.copyOf(tolerations);
    images = List.copyOf(images);
    claims = List.copyOf(claims);
  }

  /** The same without the node it must go to. */
  Shape anywhere() {
    return nodeName.isEmpty()
        ? this
        : new Shape(
            demand,
            scoredCpuMillis,
            scoredMemoryBytes,
            "",
            selection,
            preferred,
            tolerations,
            images,
            claims);
  }
}

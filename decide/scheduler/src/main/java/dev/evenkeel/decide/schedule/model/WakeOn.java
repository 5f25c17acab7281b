package dev.evenkeel.decide.schedule.model;

/** A change that can make room for a pod that found none. */
public enum WakeOn {
  NODE_ADDED,
  /** A node has more, or says at last what it has. */
  NODE_ALLOCATABLE,
  NODE_LABELS,
  /** Taints, and whether a node may be scheduled on. */
  NODE_TAINTS,
  /** A pod ended or was deleted. */
  POD_REMOVED,
  /** Room that was promised to a pod, or to a group of pods, is so no longer. */
  ROOM_RELEASED,
  /** A pod was placed, or its labels changed. */
  POD_ADDED_OR_LABELED,
  /** Claims, volumes and their classes. */
  CLAIM,
  /** The labels of a namespace. */
  NAMESPACE,
  /** Less of a quota is used than was, or more may be. */
  QUOTA,
  /** A policy for scheduling. */
  POLICY,
  /** A gate of the pod was taken away. */
  GATE,
  /** More pods of the group came. */
  GROUP,
  /** Something only a plugin knows of: any change may be it. */
  ANYTHING
}

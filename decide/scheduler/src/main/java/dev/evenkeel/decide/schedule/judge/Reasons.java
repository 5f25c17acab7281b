package dev.evenkeel.decide.schedule.judge;

import static dev.evenkeel.decide.schedule.model.WakeOn.CLAIM;
import static dev.evenkeel.decide.schedule.model.WakeOn.NAMESPACE;
import static dev.evenkeel.decide.schedule.model.WakeOn.NODE_ADDED;
import static dev.evenkeel.decide.schedule.model.WakeOn.NODE_ALLOCATABLE;
import static dev.evenkeel.decide.schedule.model.WakeOn.NODE_LABELS;
import static dev.evenkeel.decide.schedule.model.WakeOn.NODE_TAINTS;
import static dev.evenkeel.decide.schedule.model.WakeOn.POD_ADDED_OR_LABELED;
import static dev.evenkeel.decide.schedule.model.WakeOn.POD_REMOVED;
import static dev.evenkeel.decide.schedule.model.WakeOn.ROOM_RELEASED;

import dev.evenkeel.decide.schedule.model.Taint;
import dev.evenkeel.decide.schedule.model.WakeOn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers for reasons, so that a column can say for each node why it was rejected.
 *
 * <p><b>Invariants</b>: a number means the same reason for as long as the table lives.
 */
public final class Reasons {

  /** Beyond, whoever holds numbers starts anew; taints with ever new values could get here. */
  public static final int REASONS_MAX = 10_000;

  public static final int FITS = 0;
  public static final int ABSENT = 1;
  public static final int UNSCHEDULABLE = 2;
  public static final int OTHER_NAME = 3;
  public static final int NOT_SELECTED = 4;
  public static final int PORTS_TAKEN = 5;
  public static final int UNREPORTED = 6;
  public static final int SPREAD_LABEL = 7;
  public static final int SPREAD_SKEW = 8;
  public static final int NOT_NEAR = 9;
  public static final int NOT_APART = 10;
  public static final int OTHERS_APART = 11;
  public static final int VOLUME_NODE = 12;
  public static final int VOLUME_ZONE = 13;
  public static final int VOLUME_NONE = 14;
  public static final int CLAIM_TAKEN = 15;
  public static final int VOLUME_GONE = 16;
  public static final int NO_VICTIMS = 17;

  private final Map<Reason, Integer> numbers = new HashMap<>();
  private final List<Reason> reasons = new ArrayList<>();

  public Reasons() {
    add("", "");
    add("", "");
    add(PluginNames.NODE_UNSCHEDULABLE, "node(s) were unschedulable", NODE_TAINTS);
    add(PluginNames.NODE_NAME, "node(s) didn't match the requested node name");
    add(
        PluginNames.NODE_AFFINITY,
        "node(s) didn't match Pod's node affinity/selector",
        NODE_LABELS);
    addPassing(
        PluginNames.NODE_PORTS,
        "node(s) didn't have free ports for the requested pod ports",
        POD_REMOVED);
    add(
        PluginNames.NODE_RESOURCES_FIT,
        "node(s) had not reported what is allocatable",
        NODE_ALLOCATABLE);
    add(
        PluginNames.POD_TOPOLOGY_SPREAD,
        "node(s) didn't match pod topology spread constraints (missing required label)",
        NODE_LABELS);
    addPassing(
        PluginNames.POD_TOPOLOGY_SPREAD,
        "node(s) didn't match pod topology spread constraints",
        POD_REMOVED,
        POD_ADDED_OR_LABELED,
        NODE_LABELS,
        NODE_TAINTS);
    add(
        PluginNames.INTER_POD_AFFINITY,
        "node(s) didn't match pod affinity rules",
        POD_ADDED_OR_LABELED,
        NODE_LABELS,
        NAMESPACE);
    addPassing(
        PluginNames.INTER_POD_AFFINITY,
        "node(s) didn't match pod anti-affinity rules",
        POD_REMOVED,
        POD_ADDED_OR_LABELED,
        NODE_LABELS,
        NAMESPACE);
    addPassing(
        PluginNames.INTER_POD_AFFINITY,
        "node(s) didn't satisfy existing pods anti-affinity rules",
        POD_REMOVED,
        POD_ADDED_OR_LABELED,
        NODE_LABELS,
        NAMESPACE);
    add(
        PluginNames.VOLUME_BINDING,
        "node(s) had volume node affinity conflict",
        CLAIM,
        NODE_LABELS);
    add(PluginNames.VOLUME_ZONE, "node(s) had no available volume zone", CLAIM, NODE_LABELS);
    add(
        PluginNames.VOLUME_BINDING,
        "node(s) didn't find available persistent volumes to bind",
        CLAIM,
        NODE_LABELS);
    addPassing(
        PluginNames.VOLUME_RESTRICTIONS,
        "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access"
            + " mode",
        POD_REMOVED,
        CLAIM);
    add(
        PluginNames.VOLUME_BINDING,
        "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
        CLAIM);
    add(PluginNames.DEFAULT_PREEMPTION, "No preemption victims found for incoming pod");
  }

  private void add(String stage, String message, WakeOn... on) {
    enter(new Reason(stage, List.of(message), true, withNodes(on)));
  }

  private void addPassing(String stage, String message, WakeOn... on) {
    enter(new Reason(stage, List.of(message), false, withNodes(on)));
  }

  private void enter(Reason reason) {
    numbers.putIfAbsent(reason, reasons.size());
    reasons.add(reason);
  }

  /** A new node can help with everything that a node can lack. */
  public static Set<WakeOn> withNodes(WakeOn... on) {
    var all = EnumSet.of(NODE_ADDED);
    all.addAll(List.of(on));
    return all;
  }

  public int taint(Taint taint) {
    return number(
        new Reason(
            PluginNames.TAINT_TOLERATION,
            List.of("node(s) had untolerated taint {" + taint.key() + ": " + taint.value() + "}"),
            true,
            withNodes(NODE_TAINTS)));
  }

  /**
   * @param isFinal whether the empty node would be too small, too
   */
  public int shortage(List<String> messages, boolean isFinal) {
    return number(
        new Reason(
            PluginNames.NODE_RESOURCES_FIT,
            messages,
            isFinal,
            isFinal ? withNodes(NODE_ALLOCATABLE) : withNodes(NODE_ALLOCATABLE, POD_REMOVED)));
  }

  /** A namespace's share of the zone has no room, whatever else goes from the node. */
  public int share(String message) {
    return number(
        new Reason(PluginNames.TENANT_QUOTA, List.of(message), true, withNodes(WakeOn.QUOTA)));
  }

  /**
   * The node is enough, but not beside those to whom room on it is promised. Nominated pods are not
   * named: with many of them, each would be a reason of its own.
   *
   * @param groups for which room is held there, as {@code namespace/name}
   * @param pods whether it is held for others, too
   * @param beside why the node is not enough beside them
   */
  public int held(Collection<String> groups, boolean pods, int beside) {
    List<String> messages = new ArrayList<>(1);
    groups.forEach(group -> messages.add("node(s) had room held for pod group \"" + group + "\""));
    if (pods) {
      messages.add("node(s) had room held for nominated pods");
    }
    Set<WakeOn> helpedBy = EnumSet.of(ROOM_RELEASED);
    helpedBy.addAll(at(beside).helpedBy());
    return number(new Reason(PluginNames.HELD_ROOM, messages, false, helpedBy));
  }

  public int number(Reason reason) {
    Integer known = numbers.get(reason);
    if (known != null) {
      return known;
    }
    enter(reason);
    return reasons.size() - 1;
  }

  public Reason at(int number) {
    return reasons.get(number);
  }

  public int size() {
    return reasons.size();
  }

  public boolean isFull() {
    return reasons.size() > REASONS_MAX;
  }
}

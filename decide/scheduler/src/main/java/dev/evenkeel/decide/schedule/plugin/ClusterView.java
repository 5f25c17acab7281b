package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes as plugins see them; valid during the call only. */
public interface ClusterView {

  /** How many nodes there are. */
  int nodes();

  @Nullable NodeInfo node(String name);

  /** The pods bound to a node, assumed ones among them. */
  List<PodInfo> pods(String node);
}

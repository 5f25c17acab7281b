package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.read.Reads;
import dev.evenkeel.serve.request.Query;
import dev.evenkeel.serve.resource.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls that a node's agent answers: logs, exec, attach, port-forward, proxy. This version asks no
 * agents. What can be told without one is: that there is no such object, that a pod has no node
 * yet, what is wrong with the options; of the rest the caller hears that it is not served.
 */
final class AgentCalls {

  private static final Set<String> OF_PODS =
      Set.of("log", "exec", "attach", "portforward", "proxy");

  private static final Set<String> WITH_PROXY = Set.of("nodes", "services");

  private final Reads reads;

  AgentCalls(Reads reads) {
    this.reads = reads;
  }

  static boolean isOf(Served served, String subresource) {
    return served.group().isEmpty()
        && (served.plural().equals("pods")
            ? OF_PODS.contains(subresource)
            : WITH_PROXY.contains(served.plural()) && subresource.equals("proxy"));
  }

  CompletableFuture<ApiResponse> handle(Call call, Served served) {
    String name = call.target().name();
    String subresource = call.target().subresource();
    boolean log = subresource.equals("log");
    if (log) {
      checkLogOptions(name, call.query());
    }
    return reads
        .newest(served)
        .thenApply(
            snapshot -> {
              CachedObject found = snapshot.tree().get(served.key(call.target().namespace(), name));
              if (found == null) {
                throw served.notFound(name).asException();
              }
              if (served.plural().equals("pods")) {
                ObjectNode pod = Json.parseObject(served.shown(found));
                if (log) {
                  checkContainer(name, pod, call.query().text("container"));
                }
                if (Meta.text(Meta.at(pod, "spec", "nodeName")).isEmpty()) {
                  return withoutNode(name, subresource);
                }
              }
              throw Status.of(
                      501,
                      "NotImplemented",
                      served.plural()
                          + "/"
                          + subresource
                          + " is not served by this version of Evenkeel, which asks no agents of"
                          + " nodes: ask the node itself")
                  .asException();
            });
  }

  /** Nothing was written yet, and nobody is there to talk to. */
  private static ApiResponse withoutNode(String name, String subresource) {
    if (subresource.equals("log")) {
      return new ApiResponse(204, List.of(), new ApiResponse.Whole(new byte[0]));
    }
    throw Status.badRequest(
            subresource.equals("proxy")
                ? "address not allowed"
                : "pod " + name + " does not have a host assigned")
        .asException();
  }

  private static void checkLogOptions(String name, Query query) {
    var problems = new Problems();
    if (query.number("tailLines", 0) < 0) {
      problems.add(
          FieldError.Reason.INVALID,
          "tailLines",
          "Invalid value: "
              + query.number("tailLines", 0)
              + ": must be greater than or equal to 0");
    }
    if (query.number("limitBytes", 1) < 1) {
      problems.add(
          FieldError.Reason.INVALID,
          "limitBytes",
          "Invalid value: " + query.number("limitBytes", 1) + ": must be greater than 0");
    }
    if (!query.text("sinceSeconds").isEmpty()) {
      if (!query.text("sinceTime").isEmpty()) {
        problems.forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified");
      } else if (query.number("sinceSeconds", 1) < 1) {
        problems.add(
            FieldError.Reason.INVALID,
            "sinceSeconds",
            "Invalid value: " + query.number("sinceSeconds", 1) + ": must be greater than 0");
      }
    }
    if (!problems.isEmpty()) {
      throw Status.invalid("", "PodLogOptions", name, problems.errors()).asException();
    }
  }

  private static void checkContainer(String name, ObjectNode pod, String wanted) {
    List<String> containers = names(pod, "containers");
    List<String> all = new ArrayList<>(containers);
    all.addAll(names(pod, "initContainers"));
    all.addAll(names(pod, "ephemeralContainers"));
    if (!wanted.isEmpty()) {
      if (!all.contains(wanted)) {
        throw Status.badRequest("container " + wanted + " is not valid for pod " + name)
            .asException();
      }
    } else if (containers.size() > 1) {
      throw Status.badRequest(
              "a container name must be specified for pod "
                  + name
                  + ", choose one of: ["
                  + String.join(" ", containers)
                  + "]")
          .asException();
    }
  }

  private static List<String> names(ObjectNode pod, String field) {
    List<String> names = new ArrayList<>();
    for (JsonNode container : pod.path("spec").path(field)) {
      names.add(Meta.text(container.path("name")));
    }
    return names;
  }
}

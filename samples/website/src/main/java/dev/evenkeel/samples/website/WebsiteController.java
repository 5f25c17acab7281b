package dev.evenkeel.samples.website;

import dev.evenkeel.decide.plan.Desired;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.Operator;
import dev.evenkeel.kernel.define.CustomKind;
import dev.evenkeel.observe.http.Kubeconfig;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Serves a page: a Website becomes a ConfigMap with the page and a Deployment that serves it. */
public final class WebsiteController {

  /** The kind. Its definition is made of this, so there is nothing else to keep in step. */
  @CustomKind(group = "samples.evenkeel.dev", version = "v1", shortNames = "web")
  public record Website(Spec spec, @Nullable Status status) {
    public record Spec(String html, int replicas) {}

    public record Status(int ready, String phase) {}
  }

  private record Deployment(@Nullable Counts status) {
    record Counts(int readyReplicas) {}
  }

  private static final Kind<Website> WEBSITES = Kind.custom(Website.class);
  private static final Kind<?> PAGES = Kind.untyped("v1", "ConfigMap", "configmaps", true);
  private static final Kind<Deployment> DEPLOYMENTS =
      Kind.of("apps/v1", "Deployment", "deployments", true, Deployment.class);

  private WebsiteController() {}

  public static Controller<Website> controller() {
    return Controller.of("website", WEBSITES, WebsiteController::reconcile)
        .owning(PAGES)
        .owning(DEPLOYMENTS);
  }

  /** What a website needs, given what there is. Nothing is read or written here. */
  static Plan reconcile(Cached<Website> site, View view) {
    Website.Spec wanted = site.value().spec();
    Cached<Deployment> there = view.find(DEPLOYMENTS, site.namespace(), site.name());
    Deployment.Counts counts = there == null ? null : there.value().status();
    int ready = counts == null ? 0 : counts.readyReplicas();
    String phase = ready < wanted.replicas() ? "Starting" : "Serving";
    return Plan.empty()
        .ensure(view, PAGES, page(site, wanted.html()), "the page is to say what the website says")
        .ensure(
            view,
            DEPLOYMENTS,
            server(site, wanted.replicas()),
            wanted.replicas() + " servers are wanted")
        .status(site, new Website.Status(ready, phase), ready + " servers are ready");
  }

  private static ObjectNode page(Cached<Website> site, String html) {
    ObjectNode page =
        Desired.ownedBy(
            site,
            """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %s}
            """
                .formatted(site.name()));
    page.putObject("data").put("index.html", html);
    return page;
  }

  private static ObjectNode server(Cached<Website> site, int replicas) {
    return Desired.ownedBy(
        site,
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %1$s}
        spec:
          replicas: %2$d
          selector: {matchLabels: {website: %1$s}}
          template:
            metadata: {labels: {website: %1$s}}
            spec:
              containers:
              - {name: server, image: nginx, volumeMounts: [{name: page, mountPath: /usr/share/nginx/html}]}
              volumes: [{name: page, configMap: {name: %1$s}}]
        """
            .formatted(site.name(), replicas));
  }

  /** Runs it against the server of the usual kubeconfig, until it is stopped. */
  public static void main(String[] args) throws InterruptedException {
    try (var operator = Operator.connect(Kubeconfig.standard())) {
      operator.define(Website.class).run(controller());
      Thread.currentThread().join();
    }
  }
}

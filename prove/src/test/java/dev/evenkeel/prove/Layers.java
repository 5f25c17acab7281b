package dev.evenkeel.prove;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;

/** Who may depend on whom: the table of ARCHITECTURE.md as rules. */
final class Layers {

  /**
   * Every class is in a layer, and depends on the named layers only. A layer may still be empty:
   * its rule waits for it.
   */
  static final ArchRule DIRECTION =
      allowing(
          layeredArchitecture()
              .consideringOnlyDependenciesInAnyPackage("dev.evenkeel..")
              .withOptionalLayers(true)
              .layer("kernel")
              .definedBy("dev.evenkeel.kernel..")
              .layer("store")
              .definedBy("dev.evenkeel.store")
              .layer("testkit")
              .definedBy("dev.evenkeel.store.testkit..")
              .layer("engine")
              .definedBy("dev.evenkeel.store.engine..")
              .layer("memory")
              .definedBy("dev.evenkeel.store.memory..")
              .layer("rocksdb")
              .definedBy("dev.evenkeel.store.rocksdb..")
              .layer("etcd")
              .definedBy("dev.evenkeel.store.etcd..")
              .layer("serve")
              .definedBy("dev.evenkeel.serve..")
              .layer("observe")
              .definedBy("dev.evenkeel.observe..")
              .layer("explain")
              .definedBy("dev.evenkeel.explain..")
              .layer("decide")
              .definedBy("dev.evenkeel.decide..")
              .layer("act")
              .definedBy("dev.evenkeel.act..")
              .layer("testing")
              .definedBy("dev.evenkeel.testing..")
              .layer("operate")
              .definedBy("dev.evenkeel.operate..")
              .layer("prove")
              .definedBy("dev.evenkeel.prove.."));

  static final ArchRule NO_CYCLES =
      slices().matching("dev.evenkeel.(**)").should().beFreeOfCycles();

  private Layers() {}

  private static ArchRule allowing(LayeredArchitecture layers) {
    String[] product = {
      "kernel", "store", "engine", "memory", "rocksdb", "etcd", "serve", "observe", "explain",
      "decide", "act"
    };
    return layers
        .whereLayer("kernel")
        .mayNotAccessAnyLayer()
        .whereLayer("store")
        .mayOnlyAccessLayers("kernel")
        .whereLayer("testkit")
        .mayOnlyAccessLayers("kernel", "store")
        .whereLayer("engine")
        .mayOnlyAccessLayers("kernel", "store")
        .whereLayer("memory")
        .mayOnlyAccessLayers("kernel", "store", "engine")
        .whereLayer("rocksdb")
        .mayOnlyAccessLayers("kernel", "store", "engine")
        .whereLayer("etcd")
        .mayOnlyAccessLayers("kernel", "store", "engine")
        .whereLayer("serve")
        .mayOnlyAccessLayers("kernel", "store")
        .whereLayer("observe")
        .mayOnlyAccessLayers("kernel")
        .whereLayer("explain")
        .mayOnlyAccessLayers("kernel", "observe")
        .whereLayer("decide")
        .mayOnlyAccessLayers("kernel", "observe", "explain")
        .whereLayer("act")
        .mayOnlyAccessLayers("kernel", "observe", "explain")
        .whereLayer("testing")
        .mayOnlyAccessLayers(product)
        .whereLayer("operate")
        .mayOnlyAccessLayers(product)
        .whereLayer("prove")
        .mayNotBeAccessedByAnyLayer()
        .ensureAllClassesAreContainedInArchitecture();
  }
}

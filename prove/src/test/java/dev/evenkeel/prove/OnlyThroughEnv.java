package dev.evenkeel.prove;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.Date;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.BaseStream;

/**
 * Time, chance and threads come from {@code env}: what a simulation cannot control must not be
 * asked of the system. Free are {@code env} itself, the test kit, and the proofs, which measure
 * real time.
 */
final class OnlyThroughEnv {

  static final ArchRule RULE =
      classes()
          .that(
              resideOutsideOfPackages(
                  "dev.evenkeel.kernel.env..",
                  "dev.evenkeel.store.testkit..",
                  "dev.evenkeel.testing..",
                  "dev.evenkeel.prove.."))
          .should(askOnlyEnv())
          .because("a simulation must own time, chance and threads: use dev.evenkeel.kernel.env");

  private OnlyThroughEnv() {}

  private static ArchCondition<JavaClass> askOnlyEnv() {
    return new ArchCondition<>("ask only env for time, chance and threads") {
      @Override
      public void check(JavaClass javaClass, ConditionEvents events) {
        for (JavaAccess<?> access : javaClass.getAccessesFromSelf()) {
          if (access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
              && isForbidden(target)) {
            events.add(SimpleConditionEvent.violated(access, access.getDescription()));
          }
        }
      }
    };
  }

  private static boolean isForbidden(AccessTarget.CodeUnitAccessTarget target) {
    return isTime(target) || isChance(target) || isThread(target) || isCommonPool(target);
  }

  private static boolean isTime(AccessTarget.CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    String name = target.getName();
    boolean javaTime = owner.getPackageName().startsWith("java.time");
    return (javaTime && name.equals("now"))
        || (owner.isEquivalentTo(java.time.Clock.class) && name.startsWith("system"))
        || (owner.isEquivalentTo(Date.class)
            && isConstructor(target)
            && target.getRawParameterTypes().isEmpty())
        || (owner.isEquivalentTo(System.class)
            && (name.equals("nanoTime") || name.equals("currentTimeMillis")))
        || (owner.isAssignableTo(Thread.class) && name.equals("sleep"))
        || (owner.isEquivalentTo(TimeUnit.class) && name.equals("sleep"))
        || (owner.isEquivalentTo(LockSupport.class)
            && (name.equals("parkNanos") || name.equals("parkUntil")));
  }

  private static boolean isChance(AccessTarget.CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    String name = target.getName();
    return (isConstructor(target)
            && (owner.isAssignableTo(Random.class) || owner.isAssignableTo(SplittableRandom.class)))
        || (owner.isEquivalentTo(SecureRandom.class) && name.startsWith("getInstance"))
        || (owner.isEquivalentTo(ThreadLocalRandom.class) && name.equals("current"))
        || (owner.isEquivalentTo(RandomGenerator.class)
            && (name.equals("of") || name.equals("getDefault")))
        || (owner.isEquivalentTo(Math.class) && name.equals("random"))
        || (owner.isEquivalentTo(UUID.class) && name.equals("randomUUID"))
        || (owner.isEquivalentTo(Collections.class)
            && name.equals("shuffle")
            && target.getRawParameterTypes().size() == 1);
  }

  private static boolean isThread(AccessTarget.CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    String name = target.getName();
    return (owner.isAssignableTo(Thread.class)
            && (isConstructor(target)
                || name.equals("ofPlatform")
                || name.equals("ofVirtual")
                || name.equals("startVirtualThread")))
        || owner.isEquivalentTo(Executors.class)
        || owner.isAssignableTo(Timer.class)
        || (isConstructor(target)
            && owner.isAssignableTo(ExecutorService.class)
            && owner.getPackageName().startsWith("java."));
  }

  /** Work that slips onto the machine's own pool, or waits for the machine's own timer. */
  private static boolean isCommonPool(AccessTarget.CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    String name = target.getName();
    boolean future = owner.isAssignableTo(CompletionStage.class);
    boolean executorGiven =
        target.getRawParameterTypes().stream()
            .anyMatch(type -> type.isAssignableTo(Executor.class));
    return (future && name.endsWith("Async") && !executorGiven)
        || (owner.isAssignableTo(CompletableFuture.class)
            && (name.equals("orTimeout")
                || name.equals("completeOnTimeout")
                || name.equals("delayedExecutor")))
        || (owner.isEquivalentTo(ForkJoinPool.class) && name.equals("commonPool"))
        || name.equals("parallelStream")
        || (owner.isAssignableTo(BaseStream.class) && name.equals("parallel"));
  }

  private static boolean isConstructor(AccessTarget.CodeUnitAccessTarget target) {
    return target.getName().equals(JavaConstructor.CONSTRUCTOR_NAME);
  }
}

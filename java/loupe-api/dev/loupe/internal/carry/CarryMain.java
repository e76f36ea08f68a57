// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.agent.Native;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.WordLayouts;
import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;

/** The entry of the agent to this package. */
public final class CarryMain {
    // With one of these the JVM trains an AOT cache.
    private static final String[] TRAINING = {
            "-XX:AOTCacheOutput=",
            "-XX:AOTConfiguration=",
            "-XX:AOTMode=record",
            "-XX:AOTMode=create",
    };

    private CarryMain() {}

    /**
     * Starts to carry contexts with tasks.
     *
     * @return false if the agent must rewrite no class, which is logged
     */
    static boolean start(boolean withThreads) {
        if (isTraining()) {
            Native.log(Native.LOG_INFO,
                    "contexts are not carried with tasks in a JVM that trains an AOT cache");
            return false;
        }
        // Now: a thread of the application may have no stack or memory left for it, and what fails
        // once fails for good.
        Unsafe unsafe = Unsafe.getUnsafe();
        for (Class<?> used : new Class<?>[] {Carried.class, CarriedThreads.class, Carrying.class,
                     HandOver.class, PendingTasks.class, TakenUp.class, TaskKinds.class,
                     WordLayouts.class, CarriedRunnable.class, CarriedCallable.class,
                     CarriedSupplier.class, CarriedFunction.class, CarriedConsumer.class,
                     CarriedBiFunction.class, CarriedBiConsumer.class, PendingTasks.Table.class}) {
            unsafe.ensureClassInitialized(used);
        }
        if (withThreads) {
            CarriedThreads.turnOn();
        }
        OpenContexts.turnOn();
        return true;
    }

    /** Cleans up. Called every second. */
    public static void keepOrder() {
        PendingTasks.look();
    }

    /** Forgets the tasks that wait. Called when the agent has turned itself off. */
    public static void turnOff() {
        PendingTasks.clear();
    }

    /** Returns whether this JVM trains an AOT cache: then no class must be rewritten. */
    public static boolean isTraining() {
        for (String argument : VM.getRuntimeArguments()) {
            for (String training : TRAINING) {
                if (argument.startsWith(training)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Begins the contexts of a platform thread that has started; its end ends them. */
    static void onThreadStart() {
        TakenUp.beginForGood(PendingTasks.take(Thread.currentThread()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Agent;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.RingOwners;
import java.util.TimerTask;
import java.util.concurrent.ForkJoinWorkerThread;
import jdk.internal.misc.Unsafe;

/**
 * Carries contexts with platform threads and tasks of timers, with {@code propagate=threads}.
 * Called by {@code java.util.concurrent.LoupeTasks}.
 *
 * <p>A thread takes its contexts from the caller of {@code start} if it runs code of the
 * application. A thread that runs code of the JDK, or of a library that {@link TaskKinds} knows,
 * takes none: it lives on after the request that starts it.
 */
public final class CarriedThreads {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long PERIOD = UNSAFE.objectFieldOffset(TimerTask.class, "period");
    private static final Class<?> HOLDER = holderOf(); // of the task, from JDK 19 on
    private static final long HOLDER_OFFSET =
            HOLDER == null ? 0 : UNSAFE.objectFieldOffset(Thread.class, "holder");
    private static final long TASK_OFFSET = HOLDER == null
            ? UNSAFE.objectFieldOffset(Thread.class, "target")
            : UNSAFE.objectFieldOffset(HOLDER, "task");
    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();
    private static final String NETTY =
            ".netty.util.concurrent."; // also of copies in other packages

    private static boolean isOn; // set once, before any of the rest is called

    private CarriedThreads() {}

    private static Class<?> holderOf() {
        try {
            return Class.forName("java.lang.Thread$FieldHolder");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** Starts to carry contexts with threads. Called by the agent, once. */
    static void turnOn() {
        isOn = true;
    }

    // --- Threads

    /** Notes that a thread is a pool's worker. */
    public static void markWorker(Thread thread) {
        if (isOn && thread != null && Agent.isActive && !isVirtual(thread)) {
            try {
                Carrying.put(thread, Carried.NOTHING);
            } catch (VirtualMachineError | LinkageError e) {
                RingOwners.countDropped();
            }
        }
    }

    /** Notes the contexts of a thread that is about to start. */
    public static void start(Thread thread) {
        try {
            HandOver before = PendingTasks.take(thread);
            boolean isWorker = before != null && before.carried == Carried.NOTHING;
            OpenContexts contexts = isWorker || thread.isAlive() ? null : Carried.findSource();
            Carried carried =
                    contexts != null && runsApplication(thread) ? Carried.take(contexts) : null;
            if (carried != null) {
                Carrying.put(thread, carried);
            }
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped(); // the thread goes without
        }
    }

    // A virtual thread does not start by this class's start, which would take the mark.
    private static boolean isVirtual(Thread thread) {
        return HOLDER != null && UNSAFE.getReference(thread, HOLDER_OFFSET) == null;
    }

    private static boolean runsApplication(Thread thread) {
        Class<?> type = thread.getClass();
        if (thread instanceof ForkJoinWorkerThread
                || type != Thread.class && !isOfApplication(type)) {
            return false;
        }
        Object holder = HOLDER == null ? thread : UNSAFE.getReference(thread, HOLDER_OFFSET);
        Object task = UNSAFE.getReference(holder, TASK_OFFSET);
        return task == null || isOfApplication(task.getClass()); // null: it overrides run
    }

    private static boolean isOfApplication(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader != null && loader != PLATFORM && !TaskKinds.livesOn(type)
                && !type.getName().contains(NETTY);
    }

    // --- Timers

    /** Notes the contexts of a task that a timer runs once. */
    public static void schedule(TimerTask task) {
        if (isOnce(task)) {
            Carrying.tell(task);
        }
    }

    /** Forgets the contexts of a task that a timer runs no more. */
    public static void cancel(TimerTask task) {
        try {
            PendingTasks.take(task);
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped(); // in case that it is scheduled again
        }
    }

    /** Runs a task of a timer, with its contexts if it runs only once. */
    public static void run(TimerTask task) {
        Carrying.runWith(isOnce(task) ? Carrying.begin(task) : null, task);
    }

    private static boolean isOnce(TimerTask task) {
        return UNSAFE.getLong(task, PERIOD) == 0;
    }
}

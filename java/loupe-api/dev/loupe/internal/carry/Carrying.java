// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Agent;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.RingOwners;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import jdk.internal.misc.Unsafe;

/**
 * What {@code java.util.concurrent.LoupeTasks} does where tasks are handed over and run. A task
 * without contexts costs a look at the thread.
 */
public final class Carrying {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long PERIOD = UNSAFE.objectFieldOffset(TimerTask.class, "period");

    private static boolean areThreadsIn; // set once, before any of the rest is called

    private Carrying() {}

    /** Starts to carry contexts with tasks. Called by the agent, once. */
    static void turnOn(boolean withThreads) {
        areThreadsIn = withThreads;
        OpenContexts.turnOn();
    }

    // --- Tasks that another object can stand for

    public static Runnable carry(Runnable task) {
        Carried carried = take(task);
        return carried == null ? task : new CarriedRunnable(task, carried);
    }

    public static <V> Callable<V> carry(Callable<V> task) {
        Carried carried = take(task);
        return carried == null ? task : new CarriedCallable<>(task, carried);
    }

    public static <T> Supplier<T> carrySupplier(Supplier<T> task) {
        Carried carried = take(task);
        return carried == null ? task : new CarriedSupplier<>(task, carried);
    }

    public static <T, R> Function<T, R> carryFunction(Function<T, R> task) {
        Carried carried = take(task);
        return carried == null ? task : new CarriedFunction<>(task, carried);
    }

    public static <T> Consumer<T> carryConsumer(Consumer<T> task) {
        Carried carried = take(task);
        return carried == null ? task : new CarriedConsumer<>(task, carried);
    }

    public static <T, U, R> BiFunction<T, U, R> carryBiFunction(BiFunction<T, U, R> task) {
        Carried carried = take(task);
        return carried == null ? task : new CarriedBiFunction<>(task, carried);
    }

    public static <T, U> BiConsumer<T, U> carryBiConsumer(BiConsumer<T, U> task) {
        Carried carried = take(task);
        return carried == null ? task : new CarriedBiConsumer<>(task, carried);
    }

    // Null: the task goes as it is.
    private static Carried take(Object task) {
        Carried carried = Carried.take();
        return carried == null || TaskKinds.of(task) == TaskKinds.NONE ? null : carried;
    }

    // --- Tasks that the application may compare or cast

    /** Returns the object that a pool runs for a task of {@code execute}. */
    public static Runnable carryCommand(Runnable task) {
        Carried carried = Carried.take();
        if (carried == null && PendingTasks.isEmpty()) {
            return task;
        }
        int kind = TaskKinds.of(task);
        if (kind == TaskKinds.NAMED) {
            put(task, carried);
        }
        return carried == null || kind != TaskKinds.NAMELESS ? task
                                                             : new CarriedRunnable(task, carried);
    }

    /**
     * Notes the contexts of a task that is handed over as it is, and not again before it has run.
     */
    public static void tell(Object task) {
        Carried carried = Carried.take();
        if (carried != null && !TaskKinds.isDrainer(task)) {
            put(task, carried);
        }
    }

    private static void put(Object task, Carried carried) {
        boolean isNoted = false;
        try {
            isNoted = PendingTasks.put(task, carried == null ? null : new HandOver(carried));
        } catch (VirtualMachineError | LinkageError e) {
            // The task goes without.
        }
        if (!isNoted) {
            RingOwners.countDropped();
        }
    }

    /** Returns the task that somebody handed over, of which no run is due any more. */
    public static Object giveBack(Object task) {
        Object own = originalOf(task);
        if (own == task) {
            PendingTasks.take(task);
        }
        return own;
    }

    /** Returns the task that somebody handed over. */
    public static Object originalOf(Object task) {
        return task instanceof CarriedTask<?> carried ? carried.task() : task;
    }

    /** Returns whether another object can stand for a task in a queue. */
    public static boolean mayBeWrapped(Object task) {
        return TaskKinds.of(task) == TaskKinds.NAMELESS;
    }

    /** Returns an object that equals the wrapper of a task. */
    public static Object matching(Object task) {
        return new Matching(task);
    }

    // Queues call equals of the argument, not of their elements.
    private record Matching(Object task) {
        @Override
        public boolean equals(Object other) {
            return other instanceof CarriedTask<?> carried && task.equals(carried.task());
        }

        @Override
        public int hashCode() {
            return task.hashCode();
        }
    }

    /** Runs a task of a pool's queue. */
    public static void run(Runnable task) {
        if (PendingTasks.isEmpty() || TaskKinds.of(task) != TaskKinds.NAMED) {
            task.run();
        } else {
            runWith(begin(task), task);
        }
    }

    /** Runs a task of a timer, with its contexts if it runs only once. */
    public static void runOnce(TimerTask task) {
        Object begun = UNSAFE.getLong(task, PERIOD) == 0 ? begin(task) : null;
        runWith(begun, task);
    }

    private static void runWith(Object begun, Runnable task) {
        try {
            task.run();
        } finally {
            end(begun);
        }
    }

    /**
     * Begins the contexts of a task that was handed over as it is.
     *
     * @return what {@link #end} takes
     */
    public static Object begin(Object task) {
        HandOver handOver = null;
        try {
            handOver = PendingTasks.take(task);
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped(); // the task runs without
        }
        return TakenUp.begin(handOver);
    }

    /** Ends the contexts of a task. */
    public static void end(Object begun) {
        if (begun != null) {
            ((TakenUp) begun).end();
        }
    }

    // --- Threads

    /**
     * Stops hand-overs from carrying contexts until {@link #release}, for a thread that outlives
     * the task that happens to start it: a pool's worker.
     *
     * @return what {@link #release} takes
     */
    public static Object holdBack() {
        OpenContexts contexts = Agent.isActive ? OpenContexts.find() : null;
        if (contexts == null || contexts.isHeldBack()) {
            return null;
        }
        contexts.setHeldBack(true);
        return contexts;
    }

    public static void release(Object heldBack) {
        if (heldBack != null) {
            ((OpenContexts) heldBack).setHeldBack(false);
        }
    }

    /** Notes that a thread is a pool's worker. */
    public static void markWorker(Thread thread) {
        if (areThreadsIn && thread != null && Agent.isActive) {
            put(thread, Carried.NOTHING);
        }
    }

    /** Notes the contexts of a thread that is about to start. */
    public static void start(Thread thread) {
        Carried carried = Carried.take();
        HandOver before = PendingTasks.take(thread);
        boolean isWorker = before != null && before.carried == Carried.NOTHING;
        if (carried != null && !isWorker && !TaskKinds.isWorker(thread)) {
            put(thread, carried);
        }
    }
}

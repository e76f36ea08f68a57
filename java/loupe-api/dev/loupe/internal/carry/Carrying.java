// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.RingOwners;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What {@code java.util.concurrent.LoupeTasks} does where tasks are handed over and run. A task
 * without contexts costs a look at the thread.
 */
public final class Carrying {
    // The types of wrappers.
    private static final int RUNNABLE = 0;
    private static final int CALLABLE = 1;
    private static final int SUPPLIER = 2;
    private static final int FUNCTION = 3;
    private static final int CONSUMER = 4;
    private static final int BI_FUNCTION = 5;
    private static final int BI_CONSUMER = 6;
    private static final int STAGE = 7; // a Runnable

    private Carrying() {}

    // --- Tasks that another object can stand for

    public static Runnable carry(Runnable task) {
        return (Runnable) wrap(task, RUNNABLE);
    }

    /** Carries a task that runs when stages are complete. Functions and consumers all do. */
    public static Runnable carryStage(Runnable task) {
        return (Runnable) wrap(task, STAGE);
    }

    @SuppressWarnings("unchecked") // here and below: wrap returns what task is
    public static <V> Callable<V> carry(Callable<V> task) {
        return (Callable<V>) wrap(task, CALLABLE);
    }

    @SuppressWarnings("unchecked")
    public static <T> Supplier<T> carrySupplier(Supplier<T> task) {
        return (Supplier<T>) wrap(task, SUPPLIER);
    }

    @SuppressWarnings("unchecked")
    public static <T, R> Function<T, R> carryFunction(Function<T, R> task) {
        return (Function<T, R>) wrap(task, FUNCTION);
    }

    @SuppressWarnings("unchecked")
    public static <T> Consumer<T> carryConsumer(Consumer<T> task) {
        return (Consumer<T>) wrap(task, CONSUMER);
    }

    @SuppressWarnings("unchecked")
    public static <T, U, R> BiFunction<T, U, R> carryBiFunction(BiFunction<T, U, R> task) {
        return (BiFunction<T, U, R>) wrap(task, BI_FUNCTION);
    }

    @SuppressWarnings("unchecked")
    public static <T, U> BiConsumer<T, U> carryBiConsumer(BiConsumer<T, U> task) {
        return (BiConsumer<T, U>) wrap(task, BI_CONSUMER);
    }

    // Returns the task itself if it has no contexts, or there is no memory for them.
    private static Object wrap(Object task, int as) {
        try {
            OpenContexts contexts = Carried.findSource();
            if (contexts == null || TaskKinds.of(task) == TaskKinds.NONE) {
                return task;
            }
            Carried carried = Carried.take(contexts);
            return carried == null ? task : wrap(task, carried, as);
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
            return task;
        }
    }

    private static Object wrap(Object task, Carried carried, int as) {
        switch (as) {
            case CALLABLE:
                return new CarriedCallable<>((Callable<?>) task, carried);
            case SUPPLIER:
                return new CarriedSupplier<>((Supplier<?>) task, carried);
            case FUNCTION:
                return new CarriedFunction<>((Function<?, ?>) task, carried);
            case CONSUMER:
                return new CarriedConsumer<>((Consumer<?>) task, carried);
            case BI_FUNCTION:
                return new CarriedBiFunction<>((BiFunction<?, ?, ?>) task, carried);
            case BI_CONSUMER:
                return new CarriedBiConsumer<>((BiConsumer<?, ?>) task, carried);
            default:
                return new CarriedRunnable((Runnable) task, carried, as == STAGE);
        }
    }

    // --- Tasks that the application may compare or cast

    /** Returns the object that a pool runs for a task of {@code execute}. */
    public static Runnable carryCommand(Runnable task) {
        try {
            OpenContexts contexts = Carried.findSource();
            if (contexts == null && PendingTasks.isEmpty()) {
                return task;
            }
            int kind = TaskKinds.of(task);
            if (kind == TaskKinds.NONE) {
                return task;
            }
            Carried carried = contexts == null ? null : Carried.take(contexts);
            if (kind == TaskKinds.NAMED) {
                put(task, carried);
            } else if (carried != null) {
                return new CarriedRunnable(task, carried, false);
            }
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
        }
        return task;
    }

    /**
     * Notes the contexts of a task that is handed over as it is, and not again before it has run.
     */
    public static void tell(Object task) {
        try {
            OpenContexts contexts = Carried.findSource();
            Carried carried =
                    contexts == null || TaskKinds.isDrainer(task) ? null : Carried.take(contexts);
            if (carried != null) {
                put(task, carried);
            }
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
        }
    }

    static void put(Object task, Carried carried) {
        if (!PendingTasks.put(task, carried == null ? null : new HandOver(carried, false))) {
            RingOwners.countDropped();
        }
    }

    /** Returns the task that somebody handed over, and that a pool has removed from its queue. */
    public static Object giveBack(Object task) {
        Object own = originalOf(task);
        if (own == task) {
            try {
                PendingTasks.remove(task);
            } catch (VirtualMachineError | LinkageError e) {
                RingOwners.countDropped(); // in case that it is handed over again
            }
        }
        return own;
    }

    /** Returns the task that somebody handed over, and that a pool refuses. */
    public static Object refuse(Object task) {
        Object own = originalOf(task);
        if (own == task) {
            try {
                PendingTasks.refuse(task);
            } catch (VirtualMachineError | LinkageError e) {
                RingOwners.countDropped(); // as above
            }
        }
        return own;
    }

    /** Returns the task that somebody handed over. */
    public static Object originalOf(Object task) {
        return task instanceof CarriedTask<?, ?> carried ? carried.task() : task;
    }

    /** Removes the wrapper of a task from a queue. Returns whether it was there. */
    public static boolean removeWrapped(Collection<?> queue, Object task) {
        if (TaskKinds.of(task) != TaskKinds.NAMELESS) {
            return false; // the queue may cast
        }
        Object matching;
        try {
            matching = new Matching(task);
        } catch (OutOfMemoryError e) {
            return false; // that is true: it will run
        }
        return queue.remove(matching);
    }

    // Queues call equals of the argument, not of their elements.
    private record Matching(Object task) {
        @Override
        public boolean equals(Object other) {
            return other instanceof CarriedTask<?, ?> carried && task.equals(carried.task());
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

    static void runWith(Object begun, Runnable task) {
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
        TakenUp.end((TakenUp) begun);
    }

    // --- Threads

    /**
     * Stops hand-overs from carrying contexts until {@link #release}, for a thread that outlives
     * the task that happens to start it: a pool's worker.
     *
     * @return what {@link #release} takes
     */
    public static Object holdBack() {
        OpenContexts contexts = null;
        try {
            contexts = Carried.findSource();
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped(); // there are none to carry, or the next step fails as well
        }
        if (contexts != null) {
            contexts.setHeldBack(true);
        }
        return contexts;
    }

    public static void release(Object heldBack) {
        if (heldBack != null) {
            ((OpenContexts) heldBack).setHeldBack(false);
        }
    }
}

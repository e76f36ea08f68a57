// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import dev.loupe.internal.Agent;
import dev.loupe.internal.ContextSink;
import dev.loupe.internal.ContextTypes;
import dev.loupe.internal.task.PropagatingCallable;
import dev.loupe.internal.task.PropagatingExecutor;
import dev.loupe.internal.task.PropagatingExecutorService;
import dev.loupe.internal.task.PropagatingScheduledExecutorService;
import dev.loupe.internal.task.PropagatingTask;
import dev.loupe.internal.task.Propagation;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/** The entry to Loupe. */
public final class Loupe {
    private Loupe() {}

    /**
     * Registers a context type. Registering it again changes nothing, also when another class
     * loader has loaded its class again.
     *
     * <p>Without the agent the type is remembered until its class is unloaded. If the agent is
     * loaded later, it records contexts of the type from then on, or logs that the type does not
     * fit.
     *
     * @param type the type
     * @return {@code true} if contexts of this type are recorded from now on; {@code false} if
     *         there is no agent in this JVM yet. Also, with a line in the agent's log, if none of
     *         its fields has a name, if it has more than 16 attributes, if all registered types
     *         would have more than 32, or if a security manager denies access. A type that was
     *         refused stays refused
     * @throws IllegalArgumentException if the type is abstract, has no field that could be an
     *         attribute, has two attributes of the same name, or its class cannot be linked.
     *         Without the agent this is not checked
     */
    public static boolean registerContext(Class<? extends ContextType> type) {
        Objects.requireNonNull(type, "type");
        if (!Agent.isActive && Agent.keep(type)) {
            return false;
        }
        ContextSink sink = Agent.sink;
        if (sink == null) {
            return ContextTypes.register(type);
        }
        sink.register(type);
        return true;
    }

    /**
     * Returns a task that runs in the {@link RecordingContext} which is installed here and now, on
     * whatever thread it runs. Contexts of {@link ContextType} and {@link ContextAccess} are not
     * carried by it. The agent carries contexts of all kinds with tasks of executors, stages and
     * virtual threads by itself, unless its option {@code propagate} says otherwise.
     *
     * @param task the task
     * @return a task that does the same, and can be run as often
     */
    public static Runnable wrap(Runnable task) {
        Objects.requireNonNull(task, "task");
        Propagation propagation = propagation();
        return propagation == null ? task : new PropagatingTask(task, propagation);
    }

    /**
     * Returns a task that runs in the {@link RecordingContext} which is installed here and now,
     * like
     * {@link #wrap(Runnable)}. For {@code StructuredTaskScope}: {@code
     * scope.fork(Loupe.wrap(task))}.
     *
     * @param task the task
     * @param <V> the type of the result
     * @return a task that does the same, and can be called as often
     */
    public static <V> Callable<V> wrap(Callable<V> task) {
        Objects.requireNonNull(task, "task");
        Propagation propagation = propagation();
        return propagation == null ? task : new PropagatingCallable<>(task, propagation);
    }

    /**
     * Returns an executor whose tasks run in the {@link RecordingContext} that is installed on the
     * submitting thread when they are submitted. Where none is installed there, none applies to
     * them, whatever is installed on the executing thread. Everything else is left to the executor.
     *
     * @param executor the executor, for example a {@code ForkJoinPool} or one of virtual threads
     * @return one for {@code CompletableFuture} and the like
     */
    public static Executor wrap(Executor executor) {
        return new PropagatingExecutor(executor, Loupe::propagation);
    }

    /**
     * Returns an executor whose tasks run in the {@link RecordingContext} of where they are
     * submitted, like {@link #wrap(Executor)}. Results, exceptions, cancelling, shutting down and
     * closing are the executor's own.
     *
     * @param executor the executor
     * @return one that uses it; shutting either down shuts both down
     */
    public static ExecutorService wrap(ExecutorService executor) {
        return new PropagatingExecutorService(executor, Loupe::propagation);
    }

    /**
     * Returns an executor whose tasks run in the {@link RecordingContext} of where they are
     * submitted, like {@link #wrap(ExecutorService)}. Each run of a periodic task does.
     *
     * @param executor the executor
     * @return one that uses it; shutting either down shuts both down
     */
    public static ScheduledExecutorService wrap(ScheduledExecutorService executor) {
        return new PropagatingScheduledExecutorService(executor, Loupe::propagation);
    }

    // Null: without the agent there are no contexts.
    private static Propagation propagation() {
        if (!Agent.isActive) {
            return null;
        }
        RecordingContext.Snapshot snapshot = RecordingContext.snapshot();
        return task -> RecordingContext.callWithSnapshot(task, snapshot);
    }
}

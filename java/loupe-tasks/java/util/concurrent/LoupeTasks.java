// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import dev.loupe.internal.carry.CarriedThreads;
import dev.loupe.internal.carry.Carrying;
import java.util.ArrayList;
import java.util.Collection;
import java.util.TimerTask;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The methods that rewritten classes call (src/agent/rewrite/rewrite_places.def). They carry
 * contexts with tasks. The class is in this package because each class loader finds the package's
 * classes, and to call members that are not public.
 */
public final class LoupeTasks {
    private LoupeTasks() {}

    // Tasks that are run again and again. Futures carry no contexts with them.
    private record Periodic(Runnable task) implements Runnable {
        @Override
        public void run() {
            task.run();
        }
    }

    private record PeriodicCallable(Callable<?> task) implements Callable<Object> {
        @Override
        public Object call() throws Exception {
            return task.call();
        }
    }

    // --- Constructors and methods that get a task

    public static Runnable carry(Runnable task) {
        return Carrying.carry(task);
    }

    public static Runnable carryStage(Runnable task) {
        return Carrying.carryStage(task);
    }

    public static Callable<?> carry(Callable<?> task) {
        return Carrying.carry(task);
    }

    public static Supplier<?> carrySupplier(Supplier<?> task) {
        return Carrying.carrySupplier(task);
    }

    public static Function<?, ?> carryFunction(Function<?, ?> task) {
        return Carrying.carryFunction(task);
    }

    public static Consumer<?> carryConsumer(Consumer<?> task) {
        return Carrying.carryConsumer(task);
    }

    public static BiFunction<?, ?, ?> carryBiFunction(BiFunction<?, ?, ?> task) {
        return Carrying.carryBiFunction(task);
    }

    public static BiConsumer<?, ?> carryBiConsumer(BiConsumer<?, ?> task) {
        return Carrying.carryBiConsumer(task);
    }

    public static Runnable carryOnce(Runnable task) {
        return task instanceof Periodic periodic ? periodic.task : Carrying.carry(task);
    }

    public static Callable<?> carryOnce(Callable<?> task) {
        return task instanceof PeriodicCallable periodic ? periodic.task : Carrying.carry(task);
    }

    public static Runnable repeat(Runnable task) {
        try {
            return task == null ? null : new Periodic(task);
        } catch (OutOfMemoryError e) {
            return task;
        }
    }

    public static Callable<?> repeat(Callable<?> task) {
        try {
            return task == null ? null : new PeriodicCallable(task);
        } catch (OutOfMemoryError e) {
            return task;
        }
    }

    // --- ThreadPoolExecutor

    public static Runnable carryCommand(Runnable task) {
        return Carrying.carryCommand(task);
    }

    public static Runnable giveBack(Runnable task) {
        return (Runnable) Carrying.refuse(task);
    }

    public static void beforeExecute(ThreadPoolExecutor pool, Thread thread, Runnable task) {
        pool.beforeExecute(thread, (Runnable) Carrying.originalOf(task));
    }

    public static void run(Runnable task) {
        Carrying.run(task);
    }

    public static void afterExecute(ThreadPoolExecutor pool, Runnable task, Throwable thrown) {
        pool.afterExecute((Runnable) Carrying.originalOf(task), thrown);
    }

    public static boolean remove(BlockingQueue<?> queue, Object task) {
        if (queue.remove(task)) {
            Carrying.giveBack(task);
            return true;
        }
        return Carrying.removeWrapped(queue, task);
    }

    public static int drainTo(BlockingQueue<Runnable> queue, Collection<Runnable> tasks) {
        int count = queue.drainTo(tasks);
        if (tasks instanceof ArrayList<Runnable> list) { // always
            for (int i = 0; i < list.size(); i++) {
                list.set(i, (Runnable) Carrying.giveBack(list.get(i)));
            }
        }
        return count;
    }

    public static boolean add(ArrayList<Object> tasks, Object task) {
        return tasks.add(Carrying.giveBack(task));
    }

    public static Thread newThread(ThreadFactory factory, Runnable worker) {
        Object heldBack = Carrying.holdBack();
        try {
            Thread thread = factory.newThread(worker);
            CarriedThreads.markWorker(thread);
            return thread;
        } finally {
            Carrying.release(heldBack);
        }
    }

    // --- Netty's event loops

    public static void startWorker(Executor executor, Runnable worker) {
        Object heldBack = Carrying.holdBack();
        try {
            executor.execute(worker);
        } finally {
            Carrying.release(heldBack);
        }
    }

    // --- ForkJoinTask

    public static void fork(ForkJoinTask<?> task) {
        if (!(task instanceof RunnableFuture<?>) // it has the contexts itself
                &&!(task instanceof CompletableFuture.AsynchronousCompletionTask)) {
            Carrying.tell(task);
        }
    }

    public static boolean exec(ForkJoinTask<?> task) {
        Object begun = task instanceof RunnableFuture<?> ? null : Carrying.begin(task);
        if (begun == null) {
            return task.exec();
        }
        try {
            return task.exec();
        } finally {
            Carrying.end(begun);
        }
    }

    // --- Timer and Thread

    public static void schedule(TimerTask task) {
        CarriedThreads.schedule(task);
    }

    public static void cancel(TimerTask task) {
        CarriedThreads.cancel(task);
    }

    public static void run(TimerTask task) {
        CarriedThreads.run(task);
    }

    public static void start(Thread thread) {
        CarriedThreads.start(thread);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Hands over tasks while there is no memory at all, in ways in which the JDK needs none itself: no
 * call throws, and each task runs.
 */
final class CarriedExhausted {
    private static final int TASKS = 3; // of each kind; where there is no memory each takes long

    private static final long PAUSE_NANOS = 1_000_000;
    private static final int PAUSES_MAX = 60_000;

    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(3 * TASKS));
    private final ForkJoinPool forks = new ForkJoinPool(1);
    private final CountDownLatch runs = new CountDownLatch(3 * TASKS);
    private final AtomicInteger waiting = new AtomicInteger();
    private final Runnable lambda = runs::countDown;
    private final Runnable[] named = new Runnable[TASKS];
    private final Action[] actions = new Action[TASKS];
    private volatile boolean isHanded;
    private Throwable thrown;

    private static final class Action extends RecursiveAction {
        private static final long serialVersionUID = 1;
        private final transient CountDownLatch runs;

        Action(CountDownLatch runs) {
            this.runs = runs;
        }

        @Override
        protected void compute() {
            runs.countDown();
        }
    }

    private CarriedExhausted() {
        for (int i = 0; i < TASKS; i++) {
            named[i] = new CarriedE2E.Named(lambda, 0);
            actions[i] = new Action(runs);
        }
    }

    static void run() throws Exception {
        CarriedE2E.inContext("there is memory", () -> new CarriedExhausted().handOver(null));
        CarriedExhausted without = new CarriedExhausted();
        Hog hog = new Hog();
        CarriedE2E.inContext("there is none", () -> without.handOver(hog));
        CarriedE2E.check("thrown without memory", null, without.thrown);
        CarriedE2E.check("tasks that did not run", 0L, without.runs.getCount());
        stage(() -> {}, hog);
        CarriedE2E.check("thrown by a stage that takes all memory", null, stage(hog::eat, hog));
    }

    // Completes a stage on a thread that has another context. Returns what complete has thrown.
    private static Throwable stage(Runnable work, Hog hog) throws Exception {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        CarriedE2E.inContext("registers", () -> first.thenRun(work));
        Marks.Order order = new Marks.Order();
        order.set();
        Throwable thrown = null;
        try {
            first.complete(1);
        } catch (Throwable e) {
            thrown = e;
        }
        hog.free();
        order.unset();
        return thrown;
    }

    // A thread that waits needs memory for it: this keeps one busy until all is handed over.
    private void keepBusy() {
        waiting.incrementAndGet();
        while (!isHanded) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    // hog: null where there is to be memory
    private void handOver(Hog hog) {
        pool.execute(this::keepBusy);
        forks.execute(this::keepBusy);
        while (waiting.get() < 2) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        try {
            if (hog != null) {
                hog.eat();
            }
            for (int i = 0; i < TASKS; i++) {
                pool.execute(lambda);
                pool.execute(named[i]);
                forks.execute(actions[i]);
            }
        } catch (Throwable e) {
            thrown = e;
        }
        isHanded = true;
        for (int i = 0; i < PAUSES_MAX && runs.getCount() > 0; i++) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (hog != null) {
            hog.free();
        }
        pool.shutdown();
        forks.shutdown();
    }
}

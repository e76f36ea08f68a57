// SPDX-License-Identifier: Apache-2.0

import dev.loupe.ContextType;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Name;

/**
 * Measures the cost of handing a task to another thread and running it there, without a context and
 * with one, in turn in the same run. A burst of tasks goes into the queue of one thread that waits;
 * then that thread runs them. Between bursts the agent drains its rings. Each way begins with many
 * contexts of one task, so that the code of all of it is compiled, and a full collection, so that
 * what threads keep is in the old generation as in an application. As there, the memory of the
 * heap is in use already: else each new page costs its first tasks the time of the system. The cost
 * of reading the clock comes from the same run: a hand-over with a context reads it three times.
 *
 * <pre>
 * java -Xms128m -Xmx128m -XX:+AlwaysPreTouch \
 *   -agentpath:build/release/lib/libloupe.so=collector=tcp://127.0.0.1:7411 \
 *   -cp build/release/lib/loupe.jar bench/java/HandOver.java [ROUNDS]
 * </pre>
 */
public final class HandOver {
    public static final class Order extends ContextType {
        @Name("id") public long id;
        @Name("user") public long user;
    }

    private static final int BURST = 400;
    // Meanwhile the agent drains every 20 ms or more often, and a ring has room for two bursts.
    private static final int REST_MILLIS = 12;
    private static final int WARM_UPS = 6000;
    private static final int CLOCK_ROUNDS = 2000;
    private static final RecordingContextKey KEY = RecordingContextKey.forName("endpoint");

    private static long sink;

    interface Way {
        void hand(Runnable task) throws Exception;
    }

    private static final class Named implements Runnable {
        @Override
        public void run() {
            sink++;
        }
    }

    private static final class Action extends RecursiveAction {
        private static final long serialVersionUID = 1;
        private final transient Runnable task;

        Action(Runnable task) {
            this.task = task;
        }

        @Override
        protected void compute() {
            task.run();
        }
    }

    private HandOver() {}

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 150;
        Loupe.registerContext(Order.class);
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        ForkJoinPool forks = new ForkJoinPool(1);
        System.out.println(
                "ns for each task: without, with a ContextType, with a RecordingContext; "
                + "and what the context adds");
        measure("submit", rounds, pool::submit, pool::execute);
        measure("execute a lambda", rounds, pool::execute, pool::execute);
        measure("execute a named class", rounds, task -> pool.execute(new Named()), pool::execute);
        measure("runAsync", rounds, task -> CompletableFuture.runAsync(task, pool), pool::execute);
        measure("ForkJoinPool.submit", rounds, forks::submit, forks::execute);
        measure("ForkJoinPool.submit of a ForkJoinTask", rounds,
                task -> forks.submit(new Action(task)), forks::execute);
        pool.shutdown();
        forks.shutdown();
        System.out.printf("one read of the clock %16.1f%n", readClock());
    }

    private static double readClock() {
        double[] costs = new double[CLOCK_ROUNDS];
        for (int round = 0; round < CLOCK_ROUNDS; round++) {
            long begin = System.nanoTime();
            for (int i = 0; i < BURST; i++) {
                sink += System.nanoTime();
            }
            costs[round] = (double) (System.nanoTime() - begin) / BURST;
        }
        return median(costs);
    }

    @SuppressWarnings("try")
    private static void warmUp(Order order, Way way) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            order.set();
            way.hand(() -> sink++);
            order.unset();
            try (RecordingContext context = RecordingContext.where(KEY, "/warm-up").build()) {
                way.hand(() -> sink++);
            }
            if (i % BURST == 0) {
                Thread.sleep(REST_MILLIS);
            }
        }
        System.gc();
    }

    private static void measure(String name, int rounds, Way way, Way plain) throws Exception {
        double[][] costs = new double[3][rounds];
        Order order = new Order();
        warmUp(order, way);
        for (int round = -rounds / 2; round < rounds; round++) { // the first ones warm up
            for (int kind = 0; kind < 3; kind++) {
                double cost = burst(kind, order, way, plain);
                if (round >= 0) {
                    costs[kind][round] = cost;
                }
            }
        }
        double[] medians = Arrays.stream(costs).mapToDouble(HandOver::median).toArray();
        System.out.printf("%-40s %6.0f %6.0f %6.0f   +%.0f +%.0f%n", name, medians[0], medians[1],
                medians[2], medians[1] - medians[0], medians[2] - medians[0]);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    // Returns the time of both threads for each task of a burst.
    private static double burst(int kind, Order order, Way way, Way plain) throws Exception {
        Thread.sleep(REST_MILLIS);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        long[] taken = new long[2];
        plain.hand(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            taken[0] = System.nanoTime();
        });
        order.id++;
        RecordingContext context =
                kind == 2 ? RecordingContext.where(KEY, "/orders/" + order.id).build() : null;
        if (kind == 1) {
            order.set();
        }
        long begin = System.nanoTime();
        for (int i = 0; i < BURST; i++) {
            way.hand(() -> sink++);
        }
        long handed = System.nanoTime() - begin;
        if (kind == 1) {
            order.unset();
        } else if (kind == 2) {
            context.close();
        }
        plain.hand(() -> {
            taken[1] = System.nanoTime();
            done.countDown();
        });
        go.countDown();
        done.await();
        return (double) (handed + taken[1] - taken[0]) / BURST;
    }
}

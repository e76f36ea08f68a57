// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Many RecordingContexts, one after the other, each with a number of its own.
 *
 * <pre>Storm RATE SECONDS THREADS [tasks|told]</pre>
 *
 * Makes RATE times SECONDS contexts, at most RATE a second; it takes longer on a busy machine. With
 * {@code tasks} each context hands a task to another thread, which makes the events. With {@code
 * told} it waits for a line of input before the first one. In every {@link #MARKED}th context an
 * event has its number; every second one of these is installed by its snapshot, after the context
 * itself was closed. In the end each thread makes an event outside, {@link #OUTSIDE}. Prints
 * "contexts COUNT marks COUNT", those inside.
 */
public final class Storm {
    private static final RecordingContextKey NUMBER = RecordingContextKey.forName("number");
    private static final RecordingContextKey ROUTE = RecordingContextKey.forName("route");
    static final long OUTSIDE = -1;
    private static final int MARKED = 1000;
    private static final int ROUTES = 16;
    private static final int BURST = 50; // contexts of a thread between two looks at the clock
    private static final int WAITING_MAX = 2000; // tasks; with more the thread runs them itself
    private static final int TASKS_LIMIT_S = 60;

    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong marks = new AtomicLong();
    private final ExecutorService pool; // null: without tasks

    private Storm(ExecutorService pool) {
        this.pool = pool;
    }

    public static void main(String[] args) throws InterruptedException, IOException {
        long rate = Long.parseLong(args[0]);
        Thread[] threads = new Thread[Integer.parseInt(args[2])];
        long count = rate * Long.parseLong(args[1]) / threads.length; // of each thread
        String how = args.length > 3 ? args[3] : "";
        Storm storm = new Storm(how.equals("tasks") ? pool() : null);
        if (how.equals("told")) {
            System.in.read();
        }
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> storm.work(count, (double) rate / threads.length / 1e9));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (storm.pool != null) {
            storm.pool.shutdown();
            storm.pool.awaitTermination(TASKS_LIMIT_S, TimeUnit.SECONDS);
        }
        System.out.println("contexts " + storm.numbers + " marks " + storm.marks);
    }

    private static ExecutorService pool() {
        return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX), new ThreadPoolExecutor.CallerRunsPolicy());
    }

    private void work(long count, double perNano) {
        long start = System.nanoTime();
        long done = 0;
        while (done < count) {
            long due = Math.min(count, (long) ((System.nanoTime() - start) * perNano));
            for (; done < due; done += BURST) {
                for (int i = 0; i < BURST; i++) {
                    serve(numbers.getAndIncrement());
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
        mark(OUTSIDE);
    }

    @SuppressWarnings("try")
    private void serve(long number) {
        RecordingContext.Snapshot snapshot = null;
        try (RecordingContext context = RecordingContext.where(NUMBER, Long.toString(number))
                                                .where(ROUTE, "/route/" + number % ROUTES)
                                                .build()) {
            if (pool != null) {
                pool.execute(number % MARKED == 0 ? () -> mark(number) : () -> {});
            } else if (number % (2 * MARKED) == 0) {
                snapshot = RecordingContext.snapshot();
            } else if (number % MARKED == 0) {
                mark(number);
            }
        }
        if (snapshot != null) {
            try (RecordingContext.Activation activation = snapshot.activate()) {
                mark(number);
            }
        }
    }

    private void mark(long number) {
        Marks.Tick tick = new Marks.Tick();
        tick.seq = number;
        tick.commit();
        marks.addAndGet(number == OUTSIDE ? 0 : 1);
    }
}
